package org.lengthwise.dataprep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.error.ConfigException;
import picocli.CommandLine;

class LocalWithoutHadoopIT {
  private final Path folder;

  LocalWithoutHadoopIT(@TempDir Path folder) throws IOException {
    this.folder = folder;
    Files.writeString(folder.resolve("a.txt"), "a text");
  }

  /** The command as the child process runs it. */
  static final class Prepare {
    public static void main(String[] arguments) {
      CommandLine line = new CommandLine(new PrepareCommand());
      line.setExecutionExceptionHandler(
          (exception, command, parsed) -> {
            System.err.println(exception);
            return exception instanceof ConfigException ? 2 : 1;
          });
      System.exit(line.execute(arguments));
    }
  }

  private record Outcome(int code, String log) {}

  private Outcome prepare(String... arguments) throws IOException, InterruptedException {
    String classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("hadoop-"))
            .collect(Collectors.joining(File.pathSeparator));
    Path log = folder.resolve("log");
    Stream<String> java =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            classPath,
            Prepare.class.getName(),
            "--tokenizer=bytes",
            "--config=../conf/prepare.yaml");
    Process prepare =
        new ProcessBuilder(Stream.concat(java, Stream.of(arguments)).toList())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(prepare.waitFor(5, TimeUnit.MINUTES)).isTrue();
    return new Outcome(prepare.exitValue(), Files.readString(log));
  }

  @Test
  void aLocalCorpusIsPreparedWithoutHadoop() throws Exception {
    Path out = folder.resolve("out");
    Outcome outcome = prepare("--input=" + folder.resolve("a.txt"), "--output=" + out);
    assertThat(outcome.code()).as(outcome.log()).isZero();
    assertThat(ArtifactFolder.isDone(out)).isTrue();
  }

  @Test
  void optionsThatNeedHadoopAreRejectedWithoutIt() throws Exception {
    String local = "--input=" + folder.resolve("a.txt");
    String out = "--output=" + folder.resolve("out");
    for (List<String> arguments :
        List.of(
            List.of("--input=hdfs://nowhere/text", out),
            List.of(local, "--output=hdfs://nowhere/out"),
            List.of(local, out, "--engine=mapreduce"))) {
      Outcome outcome = prepare(arguments.toArray(String[]::new));
      assertThat(outcome.code()).as(outcome.log()).isEqualTo(2);
      assertThat(outcome.log()).contains("expected an installation with Hadoop's client");
    }
    assertThat(folder.resolve("out")).doesNotExist();
  }
}
