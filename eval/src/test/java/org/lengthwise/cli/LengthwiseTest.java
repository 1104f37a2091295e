package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.result.Protocol;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class LengthwiseTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** A command that throws a given exception. It has its own help option, as any command may. */
  @Command(name = "end", mixinStandardHelpOptions = true)
  private static final class End implements Runnable {
    private final Supplier<RuntimeException> end;

    End(Supplier<RuntimeException> end) {
      this.end = end;
    }

    @Override
    public void run() {
      throw end.get();
    }
  }

  private int execute(CommandLine line, String... arguments) {
    return line.setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private int endingWith(Supplier<RuntimeException> end) {
    return execute(Lengthwise.commandLine(List.of(new End(end))), "end");
  }

  @Test
  void everyExceptionEndsWithItsExitCode() {
    assertThat(endingWith(() -> new ConfigException("a.yaml:3", "a number", "x", "fix it")))
        .isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(lines("lengthwise end: a.yaml:3: expected a number, found x; fix it"));
    assertThat(endingWith(() -> new DataFormatException("f", "text", "bytes", "look")))
        .isEqualTo(3);
    assertThat(endingWith(() -> new UncheckedIOException(new NoSuchFileException("a/b"))))
        .isEqualTo(2);
    assertThat(err.toString()).contains("a/b: no such file or folder");
    try (CapturedLog log = new CapturedLog(Lengthwise.class)) {
      assertThat(endingWith(() -> new IllegalStateException("a bug"))).isEqualTo(1);
      assertThat(log.lines())
          .containsExactly("ERROR lengthwise end failed: java.lang.IllegalStateException: a bug");
    }
  }

  private static String lines(String text) {
    return text + System.lineSeparator();
  }

  @Test
  void wrongUsageEndsWithExitCodeTwo() {
    assertThat(execute(Lengthwise.commandLine())).isEqualTo(2);
    assertThat(execute(Lengthwise.commandLine(), "reprot")).isEqualTo(2);
    assertThat(err.toString()).contains("reprot", "report");
    assertThat(execute(Lengthwise.commandLine(), "report", "--output", "x")).isEqualTo(2);
    assertThat(err.toString()).contains("--results");
  }

  @Test
  void everyCommandHasHelp() {
    assertThat(execute(Lengthwise.commandLine(), "--help")).isZero();
    for (String command : Lengthwise.commandLine().getSubcommands().keySet()) {
      assertThat(execute(Lengthwise.commandLine(), command, "--help")).as(command).isZero();
    }
    assertThat(out.toString()).contains("Usage: lengthwise report");
  }

  @Test
  void theCommandListHasOneSentenceInOneLineForEachCommand() {
    execute(Lengthwise.commandLine(), "--help");
    List<String> list =
        out.toString().lines().dropWhile(line -> !line.equals("Commands:")).skip(1).toList();
    assertThat(list)
        .hasSameSizeAs(Lengthwise.commandLine().getSubcommands().keySet())
        .allSatisfy(line -> assertThat(line).matches("  [a-z-]+ +[A-Z][^.]+\\."));
  }

  /** {@code main} reads the options of only the commands that are named. */
  @Test
  void helpDoesNotDependOnTheCommandsThatAreRead() {
    for (List<String> words :
        List.of(
            List.of("--help"),
            List.of("report", "--help"),
            List.of("--version"),
            List.of("reprot"),
            List.<String>of())) {
      String[] arguments = words.toArray(String[]::new);
      int code = execute(Lengthwise.commandLine(), arguments);
      String all = out.toString() + err;
      out.getBuffer().setLength(0);
      err.getBuffer().setLength(0);
      assertThat(execute(Lengthwise.commandLine(arguments), arguments)).isEqualTo(code);
      assertThat(out.toString() + err).isEqualTo(all).isNotEmpty();
      out.getBuffer().setLength(0);
      err.getBuffer().setLength(0);
    }
  }

  @Test
  void argumentsMayBeInAFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("arguments"), "report --help");
    String[] arguments = {"@" + file};
    assertThat(execute(Lengthwise.commandLine(arguments), arguments)).isZero();
    assertThat(out.toString()).contains("Usage: lengthwise report").contains("--results");
  }

  @Test
  void everyCommandsHelpHasAnExampleOfIt() {
    for (String command : Lengthwise.commandLine().getSubcommands().keySet()) {
      out.getBuffer().setLength(0);
      execute(Lengthwise.commandLine(), command, "--help");
      assertThat(out.toString()).containsPattern("Example:\\R  " + command + " ");
    }
  }

  @Test
  void theHelpOfEvaluateNamesEveryProtocol() {
    execute(Lengthwise.commandLine(), "evaluate", "--help");
    String help = out.toString().replaceAll("\\s+", "");
    for (Protocol protocol : Protocol.values()) {
      assertThat(help).contains(protocol.label());
    }
  }

  @Test
  void versionPrintsTheBuild() {
    assertThat(execute(Lengthwise.commandLine(), "--version")).isZero();
    assertThat(out.toString()).startsWith("lengthwise ").contains("commit ");
  }

  @Test
  void aMissingResultsFolderIsNamed(@TempDir Path folder) {
    String missing = folder.resolve("nowhere").toString();
    String config = Path.of("../conf/report.yaml").toString();
    int code =
        execute(
            Lengthwise.commandLine(),
            "report",
            "--results",
            missing,
            "--output",
            missing,
            "--report-config",
            config);
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("nowhere");
  }
}
