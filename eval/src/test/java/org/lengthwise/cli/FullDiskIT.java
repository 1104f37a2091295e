package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.artifact.Sha256;

/** Commands on a small file system that is full, and then has room again. */
class FullDiskIT {
  private static final int MEGABYTES = 8;

  private final CommandRunner commands = new CommandRunner();

  @TempDir private Path folder;

  @BeforeEach
  void mount() throws Exception {
    Files.createDirectory(folder.resolve("disk"));
    assumeThat(call("mount", "-t", "tmpfs", "-o", "size=" + MEGABYTES + "m", "tmpfs"))
        .as("the exit code of mount, which needs root")
        .isZero();
  }

  @AfterEach
  void unmount() throws Exception {
    call("umount");
  }

  private int call(String... words) throws Exception {
    return new ProcessBuilder(
            Stream.concat(Stream.of(words), Stream.of(folder.resolve("disk").toString())).toList())
        .start()
        .waitFor();
  }

  @Test
  void aFullDiskEndsEachCommandInWordsAndWithRoomItWritesTheSameBytes() throws IOException {
    TinyExperiment tiny = new TinyExperiment(folder);
    tiny.train("alibi", "{scheme: alibi}");
    String model = tiny.checkpoint("alibi");
    requireSameBytes(
        tiny,
        20,
        "prepare",
        tiny.option("--input", "text"),
        "--tokenizer=bytes",
        "--set=split.train=0.4",
        "--set=split.validation=0.2",
        "--set=split.test=0.4");
    requireSameBytes(
        tiny, 256, "train", tiny.option("--config", "alibi.yaml"), tiny.data(), "--resume");
    requireSameBytes(tiny, 12, "evaluate", model, tiny.data(), "--lengths=16,64", "--samples=5");
    requireSameBytes(tiny, 40, "export", model, "--format=safetensors");
    requireSameBytes(tiny, 40, "import", tiny.option("--checkpoint", "whole/export"));
    requireSameBytes(tiny, 200, "report", tiny.option("--results", "whole/evaluate"));
  }

  /** Runs a command elsewhere, with too little room on the disk, and again with enough room. */
  private void requireSameBytes(TinyExperiment tiny, int kilobytes, String... words)
      throws IOException {
    String output = "disk/" + words[0];
    commands.run(with(words, tiny.option("--output", "whole/" + words[0])));
    Path ballast = tiny.resolve("disk/ballast");
    long free = Files.getFileStore(tiny.resolve("disk")).getUsableSpace();
    Files.write(ballast, new byte[(int) free - 1024 * kilobytes]);
    assertThat(commands.fail(2, with(words, tiny.option("--output", output))))
        .startsWith("lengthwise " + words[0] + ": " + folder.resolve("disk"))
        .contains("No space left on device", "free now; free some space")
        .hasLineCount(1);
    Files.delete(ballast);
    commands.run(with(words, tiny.option("--output", output)));
    assertThat(content(tiny.resolve(output)))
        .as(words[0])
        .isEqualTo(content(tiny.resolve("whole/" + words[0])))
        .isNotEmpty();
  }

  private static String[] with(String[] words, String output) {
    return Stream.concat(Stream.of(words), Stream.of(output)).toArray(String[]::new);
  }

  /** The checksums of all files, except those with times, or with the path of the output. */
  private static Map<String, String> content(Path root) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = root.relativize(file).toString();
        if (Stream.of("metrics.", "events.", "provenance.").noneMatch(name::startsWith)) {
          content.put(name, Sha256.of(file));
        }
      }
    }
    return content;
  }
}
