package org.lengthwise.dataprep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import picocli.CommandLine;

class LocalWithoutHadoopIT {

  /** The command as the child process runs it. */
  static final class Prepare {
    public static void main(String[] arguments) {
      System.exit(new CommandLine(new PrepareCommand()).execute(arguments));
    }
  }

  @Test
  void aLocalCorpusIsPreparedWhereThereIsNoHadoop(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.txt"), "a text");
    String classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("hadoop-"))
            .collect(Collectors.joining(File.pathSeparator));
    Path log = folder.resolve("log");
    Process prepare =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                classPath,
                Prepare.class.getName(),
                "--input=" + folder.resolve("a.txt"),
                "--output=" + folder.resolve("out"),
                "--tokenizer=bytes",
                "--config=../conf/prepare.yaml")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(prepare.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(prepare.exitValue()).as(Files.readString(log)).isZero();
    assertThat(ArtifactFolder.isDone(folder.resolve("out"))).isTrue();
  }
}
