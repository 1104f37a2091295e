package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.source.DuckDb;
import org.lengthwise.dataprep.source.Packed;
import org.lengthwise.dataprep.source.TokenExport;
import org.lengthwise.dataprep.source.TokenFiles;
import org.lengthwise.dataprep.source.TokenFiles.Format;
import org.lengthwise.dataprep.tokenizer.Gpt2Tokenizer;

/**
 * Preparations in a child process that is killed while it works. {@code lengthwise.test.kills} is
 * the number of kills, {@code lengthwise.test.seed} the seed of their moments.
 */
@Timeout(600)
class KilledPreparationIT {

  private static final int KILLS = Integer.getInteger("lengthwise.test.kills", 4);

  /** A few in the gate, and 20 with the profile acceptance. */
  private static final int KILLS_OF_OTHER_FORMATS = KILLS < 20 ? 2 : KILLS;

  /** Enough text for every attempt to reach a resume point. */
  private static final int TEXT_BYTES = 1_000_000 * KILLS;

  /** A shard of this text exceeds the limit of a file's size after some resume points. */
  private static final int TEXT_BYTES_OF_A_FULL_DISK = 3_000_000;

  /** About a quarter of a megabyte of text. */
  private static final int DOCUMENTS_PER_RESUME_POINT = 100;

  private final Path folder;
  private final long seed = Long.getLong("lengthwise.test.seed", 7);
  private final Random random = new Random(seed);

  KilledPreparationIT(@TempDir Path folder) {
    this.folder = folder;
  }

  /** The process: prepares the corpus. Its resume points do not depend on its speed. */
  static final class Child {
    public static void main(String[] arguments) throws IOException {
      prepare(arguments[0], arguments[1]);
    }
  }

  private static void prepare(String corpus, String output) throws IOException {
    PrepareSettings text =
        new PrepareSettings(
            new SplitFractions(0.9, 0.05, 0.05),
            1000,
            1 << 20,
            Deduplication.EXACT,
            new ShardLimits(100_000, 2_000_000));
    PrepareSettings settings =
        corpus.endsWith(".bin")
            ? text.withTokens(new TokenFiles(Format.MEGATRON, 50256, 50256, 50257, null))
            : text;
    Preparation.run(
        new PrepareRequest(List.of(corpus), output, settings, 2),
        new Gpt2Tokenizer(),
        new ResumePointSchedule(
            new AtomicLong()::incrementAndGet, // the schedule reads it once for each document
            DOCUMENTS_PER_RESUME_POINT,
            DOCUMENTS_PER_RESUME_POINT));
  }

  @Test
  void aPreparationThatWasKilledSeveralTimesHasTheSameBytes() throws Exception {
    kill(writeCorpus(TEXT_BYTES), KILLS);
  }

  @Test
  void aPreparationOfParquetThatWasKilledHasTheSameBytes() throws Exception {
    kill(writeParquet(), KILLS_OF_OTHER_FORMATS);
  }

  @Test
  void aPreparationOfMegatronsFilesThatWasKilledHasTheSameBytes() throws Exception {
    prepare(writeParquet().toString(), folder.resolve("shards").toString());
    try (ShardFolder shards = ShardFolder.open(folder.resolve("shards").toString())) {
      TokenExport.write(shards, "megatron", folder.resolve("megatron"));
    }
    kill(folder.resolve("megatron/train.bin"), KILLS_OF_OTHER_FORMATS);
  }

  private void kill(Path corpus, int kills) throws Exception {
    prepare(corpus.toString(), folder.resolve("whole").toString());
    for (int i = 0; i < kills; i++) {
      long reached = latestResumePoint();
      Process process = start(corpus, "out");
      while (process.isAlive() && latestResumePoint() == reached) {
        process.waitFor(5, TimeUnit.MILLISECONDS);
      }
      process.waitFor(random.nextInt(100), TimeUnit.MILLISECONDS);
      assertThat(process.isAlive()).as("long enough to be killed, seed %d", seed).isTrue();
      process.destroyForcibly().waitFor();
    }
    assertThat(start(corpus, "out").waitFor()).isZero();
    assertSameAsWhole();
  }

  @Test
  void aPreparationResumesAfterAFullDisk() throws Exception {
    Path corpus = writeCorpus(TEXT_BYTES_OF_A_FULL_DISK);
    prepare(corpus.toString(), folder.resolve("whole").toString());
    Path log = folder.resolve("log");
    // No file may exceed 1.5 MB. A shard exceeds this after some resume points.
    Process limited = start(corpus, "out", log, "sh", "-c", "ulimit -f 3000; exec \"$@\"", "sh");
    assertThat(limited.waitFor()).isNotZero();
    assertThat(log).content().contains("IOException").contains("File too large");
    assertThat(latestResumePoint()).isPositive();
    assertThat(start(corpus, "out").waitFor()).isZero();
    assertSameAsWhole();
  }

  private void assertSameAsWhole() throws IOException {
    List<String> names = names(folder.resolve("whole"));
    assertThat(names(folder.resolve("out"))).isEqualTo(names);
    for (String name : names) {
      assertThat(folder.resolve("out").resolve(name))
          .as(name)
          .hasSameBinaryContentAs(folder.resolve("whole").resolve(name));
    }
    assertThat(folder.resolve(".out.partial")).doesNotExist();
  }

  private static List<String> names(Path folder) {
    String[] names = folder.toFile().list();
    assertThat(names).isNotNull();
    return Arrays.stream(names).sorted().toList();
  }

  /** The number of the latest resume point; 0 if there is none. */
  private long latestResumePoint() throws IOException {
    try {
      byte[] notes = Files.readAllBytes(folder.resolve(".out.partial/notes/progress.json"));
      return ConfigLoader.strictMapper().readTree(notes).get("number").longValue();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  private Process start(Path corpus, String output) throws IOException {
    return start(corpus, output, folder.resolve("log"));
  }

  private Process start(Path corpus, String output, Path log, String... prefix) throws IOException {
    List<String> command = new ArrayList<>(List.of(prefix));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx256m"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    command.addAll(List.of(corpus.toString(), folder.resolve(output).toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** Row groups of about a megabyte. */
  private Path writeParquet() {
    int numRows = 1_000_000 * KILLS_OF_OTHER_FORMATS / 600;
    return DuckDb.write(
        folder.resolve("corpus.parquet"),
        DuckDb.DOCUMENTS.formatted(numRows),
        "COMPRESSION zstd, ROW_GROUP_SIZE 2048");
  }

  /** A tar of two members with records, some broken or duplicate, and of two texts. */
  private Path writeCorpus(int textBytes) throws IOException {
    byte[] first = records(textBytes / 2);
    byte[] second = records(textBytes / 2);
    Map<String, byte[]> members =
        Packed.entries(
            "1.jsonl.zst", Packed.zstd(first), "2.txt", "x", "3.jsonl", second, "4.txt", "y");
    return Files.write(folder.resolve("corpus.tar"), Packed.tar(members));
  }

  private byte[] records(int numBytes) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream lines = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    while (bytes.size() < numBytes) {
      if (random.nextInt(100) == 0) {
        lines.append("broken\n{\"text\": \"repeated\"}\n");
      }
      lines.append("{\"text\": \"");
      for (int word = random.nextInt(1000); word >= 0; word--) {
        lines.append(Integer.toString(random.nextInt(1 << 20), 36)).append(' ');
      }
      lines.append("\"}\n");
      lines.flush();
    }
    return bytes.toByteArray();
  }
}
