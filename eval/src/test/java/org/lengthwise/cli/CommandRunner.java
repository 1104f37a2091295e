package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs Lengthwise commands in this process and captures what they print. */
final class CommandRunner {
  /** The root of the repository, which holds conf/. */
  static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  CommandRunner() {
    System.setProperty("lengthwise.home", HOME.toString());
  }

  /** Runs a command, requires an exit code, and returns the standard output. */
  String run(int code, String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    int found =
        Lengthwise.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(words);
    assertThat(found).as("%s: %s", String.join(" ", words), err).isEqualTo(code);
    return out.toString();
  }

  /** Runs a command that succeeds and returns its standard output. */
  String run(String... words) {
    return run(0, words);
  }

  /** Runs a command that fails with an exit code and returns its error output. */
  String fail(int code, String... words) {
    run(code, words);
    return err.toString();
  }

  /** A command in a JVM of its own, its output and errors together. */
  static ProcessBuilder process(String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx512m"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-Dlengthwise.home=" + HOME);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Lengthwise.class.getName());
    command.addAll(List.of(words));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  /** Starts a command in a JVM of its own with its output in a file. */
  static Process start(Path log, String... words) throws IOException {
    return process(words).redirectOutput(log.toFile()).start();
  }
}
