package org.lengthwise.dataprep.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.error.ConfigException;

class ShardFolderTest {
  /** Batches of about three documents and shards of a few batches: windows cross both. */
  private static final ShardLimits SMALL = new ShardLimits(100, 8_000);

  @ParameterizedTest
  @ValueSource(ints = {257, 65_536, 65_537, 100_000})
  void everyWindowEqualsThatOfTheConcatenatedDocuments(int vocabularySize, @TempDir Path scratch) {
    long seed = Long.getLong("lengthwise.test.seed", 7);
    SampleFolder sample =
        SampleFolder.write(
            scratch.resolve("shards"), SampleFolder.tokenizer(vocabularySize), SMALL, seed);
    int[] expected = sample.stream();
    Random random = new Random(seed);
    try (ShardFolder folder = ShardFolder.open(sample.path().toString())) {
      assertThat(folder.manifest().split(Split.TRAIN).shards()).hasSizeGreaterThan(3);
      TokenStream tokens = folder.tokens(Split.TRAIN);
      assertThat(tokens.numTokens()).isEqualTo(expected.length);
      for (int i = 0; i < 2_000; i++) {
        int count = random.nextInt(700);
        int offset = random.nextInt(expected.length - count + 1);
        int[] window = new int[count + 3];
        tokens.read(offset, window, 2, count);
        assertThat(Arrays.copyOfRange(window, 2, count + 2))
            .as("seed %d, offset %d, count %d", seed, offset, count)
            .isEqualTo(Arrays.copyOfRange(expected, offset, offset + count));
        assertThat(window[count + 2]).isZero();
      }
      int[] whole = new int[expected.length];
      tokens.read(0, whole, 0, whole.length);
      assertThat(whole).isEqualTo(expected);
    }
  }

  @Test
  void severalThreadsReadTheSameStream(@TempDir Path scratch) {
    SampleFolder sample =
        SampleFolder.write(scratch.resolve("shards"), SampleFolder.NARROW, SMALL, 1);
    int[] expected = sample.stream();
    try (ShardFolder folder = ShardFolder.open(sample.path().toUri().toString())) {
      TokenStream tokens = folder.tokens(Split.TRAIN);
      boolean allEqual =
          IntStream.range(0, expected.length - 50)
              .parallel()
              .allMatch(
                  offset -> {
                    int[] window = new int[50];
                    tokens.read(offset, window, 0, 50);
                    return Arrays.equals(window, 0, 50, expected, offset, offset + 50);
                  });
      assertThat(allEqual).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {65_536, 65_537})
  void readingAWindowAllocatesAlmostNoMemory(int vocabularySize, @TempDir Path scratch) {
    SampleFolder sample =
        SampleFolder.write(
            scratch.resolve("shards"),
            SampleFolder.tokenizer(vocabularySize),
            new ShardLimits(100_000, 1 << 20),
            1);
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int[] window = new int[513];
    int numWindows = 20_000;
    try (ShardFolder folder = ShardFolder.open(sample.path().toString())) {
      TokenStream tokens = folder.tokens(Split.TRAIN);
      long bound = tokens.numTokens() - window.length + 1;
      long before = thread.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < numWindows; i++) {
        tokens.read(i % bound, window, 0, window.length);
      }
      long allocated = thread.getCurrentThreadAllocatedBytes() - before;
      assertThat(allocated / numWindows).as("bytes for each window").isLessThan(100);
    }
  }

  @Test
  void aSplitWithoutDocumentsIsAnEmptyStream(@TempDir Path scratch) {
    SampleFolder sample =
        SampleFolder.write(scratch.resolve("shards"), SampleFolder.NARROW, SMALL, 1);
    try (ShardFolder folder = ShardFolder.open(sample.path().toString())) {
      TokenStream tokens = folder.tokens(Split.TEST);
      assertThat(tokens.numTokens()).isZero();
      tokens.read(0, new int[0], 0, 0);
    }
  }

  @Test
  void aWindowOutsideTheStreamOrTheArrayIsRejected(@TempDir Path scratch) {
    SampleFolder sample =
        SampleFolder.write(scratch.resolve("shards"), SampleFolder.NARROW, SMALL, 1);
    try (ShardFolder folder = ShardFolder.open(sample.path().toString())) {
      TokenStream tokens = folder.tokens(Split.TRAIN);
      int[] window = new int[10];
      assertThatThrownBy(() -> tokens.read(tokens.numTokens() - 9, window, 0, 10))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> tokens.read(-1, window, 0, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> tokens.read(0, window, 5, 6))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void aStreamCannotBeReadAfterItsFolderIsClosed(@TempDir Path scratch) {
    SampleFolder sample =
        SampleFolder.write(scratch.resolve("shards"), SampleFolder.NARROW, SMALL, 1);
    ShardFolder folder = ShardFolder.open(sample.path().toString());
    TokenStream tokens = folder.tokens(Split.TRAIN);
    folder.close();
    folder.close();
    assertThatThrownBy(() -> tokens.read(0, new int[1], 0, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void aSchemeWithoutAPathIsRejected() {
    assertThatThrownBy(() -> ShardFolder.open("hdfs:corpus"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hdfs:corpus: expected a local path, a file: URI, or a URI such as");
  }

  @Test
  void aMissingFolderIsRejected(@TempDir Path scratch) throws Exception {
    Path missing = scratch.resolve("nope");
    assertThatThrownBy(() -> ShardFolder.open(missing.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            missing
                + ": expected a folder of token shards, found no such folder; run `prepare` first, or"
                + " correct the path");
    Path file = Files.createFile(scratch.resolve("file"));
    assertThatThrownBy(() -> ShardFolder.open(file.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a folder of token shards, found a file");
  }

  @Test
  void aCorpusInItsPlaceNamesTheCommandToRunFirst(@TempDir Path scratch) throws Exception {
    Path hub = scratch.resolve("hub");
    Files.createDirectories(hub.resolve("data"));
    Files.createFile(hub.resolve("README.md"));
    Files.createFile(hub.resolve("data/train-00000-of-00001.parquet"));
    assertThatThrownBy(() -> ShardFolder.open(hub.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("found a folder of Parquet")
        .hasMessageContaining("run `prepare --input " + hub + " --tokenizer gpt2 --output SHARDS`");
    Path ids = Files.createFile(scratch.resolve("train.bin"));
    assertThatThrownBy(() -> ShardFolder.open(ids.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("found a file of token ids")
        .hasMessageContaining("--tokens nanogpt|llm.c|megatron");
    Path exported = Files.createDirectory(scratch.resolve("exported"));
    Files.createFile(exported.resolve("train.bin"));
    Files.createFile(exported.resolve("DONE"));
    assertThatThrownBy(() -> ShardFolder.open(exported.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--tokens nanogpt|llm.c|megatron");
  }

  @Test
  void aModelInItsPlaceIsNamed(@TempDir Path model) throws Exception {
    Files.createFile(model.resolve("config.json"));
    Files.createFile(model.resolve("model.safetensors"));
    assertThatThrownBy(() -> ShardFolder.open(model.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("found a model; name it as the --checkpoint");
  }

  @Test
  void anUnfinishedFolderIsRejected(@TempDir Path scratch) throws Exception {
    Path path = Files.createDirectory(scratch.resolve("half"));
    assertThatThrownBy(() -> ShardFolder.open(path.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a finished shard folder, found no marker DONE");
  }

  @Test
  void aSourceOpensItsFolderAtFirstUseAndClosesIt(@TempDir Path scratch) {
    Path path = scratch.resolve("shards");
    TokenStream tokens;
    try (ShardSource source = new ShardSource(path.toString())) {
      SampleFolder.write(path, SampleFolder.NARROW, SMALL, 1); // absent when the source was made
      tokens = source.folder().tokens(Split.TRAIN);
      assertThat(source.folder()).isSameAs(source.folder());
    }
    assertThatThrownBy(() -> tokens.read(0, new int[1], 0, 1)).hasMessageContaining("closed");
  }
}
