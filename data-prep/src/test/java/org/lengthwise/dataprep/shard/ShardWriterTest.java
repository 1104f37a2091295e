package org.lengthwise.dataprep.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.error.ConfigException;

class ShardWriterTest {
  private static final ShardLimits SMALL = new ShardLimits(100, 8_000);

  @ParameterizedTest
  @ValueSource(ints = {65_536, 65_537})
  void theReaderOfArrowFindsTheSameDocuments(int vocabularySize, @TempDir Path scratch)
      throws IOException {
    SampleFolder sample =
        SampleFolder.write(
            scratch.resolve("shards"), SampleFolder.tokenizer(vocabularySize), SMALL, 3);
    Manifest manifest = Manifest.read(sample.path());
    int document = 0;
    try (BufferAllocator allocator = new RootAllocator()) {
      for (ShardEntry shard : manifest.split(Split.TRAIN).shards()) {
        try (FileChannel channel = FileChannel.open(sample.path().resolve(shard.file()));
            ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
          while (reader.loadNextBatch()) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            for (int row = 0; row < root.getRowCount(); row++) {
              assertRow(root, row, sample, document++);
            }
          }
        }
      }
    }
    assertThat(document).isEqualTo(sample.documents().size());
  }

  @Test
  void batchesAndShardsStayWithinTheirLimitsAndNoDocumentIsSplit(@TempDir Path scratch)
      throws IOException {
    SampleFolder sample =
        SampleFolder.write(scratch.resolve("shards"), SampleFolder.NARROW, SMALL, 5);
    Manifest manifest = Manifest.read(sample.path());
    assertThat(manifest.split(Split.TRAIN).shards())
        .allSatisfy(
            shard -> {
              assertThat(shard.bytes()).isLessThanOrEqualTo(SMALL.shardBytes());
              assertThat(Files.size(sample.path().resolve(shard.file()))).isEqualTo(shard.bytes());
            });
    assertThat(manifest.split(Split.TRAIN).documents()).isEqualTo(sample.documents().size());
    assertThat(manifest.split(Split.TEST).shards()).isEmpty();
    try (ShardFolder folder = ShardFolder.open(sample.path().toString())) {
      folder.verifyChecksums();
    }
  }

  @Test
  void equalDocumentsGiveEqualBytes(@TempDir Path scratch) throws IOException {
    SampleFolder first = SampleFolder.write(scratch.resolve("1"), SampleFolder.NARROW, SMALL, 5);
    SampleFolder second = SampleFolder.write(scratch.resolve("2"), SampleFolder.NARROW, SMALL, 5);
    assertThat(Manifest.read(first.path())).isEqualTo(Manifest.read(second.path()));
    assertThat(first.path().resolve("train-00001.arrow"))
        .hasSameBinaryContentAs(second.path().resolve("train-00001.arrow"));
  }

  /** The checksum is from JDK 17. Other platforms and releases of Arrow must give the same. */
  @Test
  void theBytesDependOnlyOnTheDocuments(@TempDir Path scratch) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        ShardWriter writer = writer(scratch, allocator)) {
      for (int i = 0; i < 20; i++) {
        writer.append(new DocumentInfo("a.txt", i, 2L * i), IntStream.range(0, i).toArray(), i);
      }
      assertThat(writer.finish())
          .extracting(ShardEntry::sha256)
          .containsExactly("d4666d9d57b5823324ae82d18e2c0550f52b1f60ae5ce227dbd7bab801ebbcfc");
    }
  }

  @Test
  void aDocumentLargerThanAShardIsNamed(@TempDir Path scratch) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        ShardWriter writer = writer(scratch, allocator)) {
      assertThatThrownBy(
              () -> writer.append(new DocumentInfo("a.jsonl", 12, 9), new int[5_000], 5_000))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("a.jsonl, record 12: expected a document that fits into a shard of")
          .hasMessageContaining("found 5,001 tokens");
    }
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void aTokenOutsideTheVocabularyIsRejected(@TempDir Path scratch) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        ShardWriter writer = writer(scratch, allocator)) {
      assertThatThrownBy(
              () -> writer.append(new DocumentInfo("a.txt", 0, 9), new int[] {1, 65_536}, 2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a.txt, record 0: token 1 must be in [0, 65536), found 65536");
    }
  }

  @Test
  void closingAnUnfinishedWriterDeletesItsShardAndReleasesMemory(@TempDir Path scratch)
      throws IOException {
    try (BufferAllocator allocator = new RootAllocator()) {
      try (ShardWriter writer = writer(scratch, allocator)) {
        writer.append(new DocumentInfo("a.txt", 0, 9), new int[] {1, 2}, 2);
        assertThat(scratch).isNotEmptyDirectory();
      }
      assertThat(allocator.getAllocatedMemory()).isZero();
    }
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void tokensBeyondTheLengthAreIgnored(@TempDir Path scratch) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        ShardWriter writer = writer(scratch, allocator)) {
      writer.append(new DocumentInfo("a.txt", 0, 9), new int[] {1, 2, 3}, 2);
      assertThat(writer.finish())
          .singleElement()
          .satisfies(
              shard -> {
                assertThat(shard.file()).isEqualTo("train-00000.arrow");
                assertThat(shard.tokens()).isEqualTo(3);
              });
      assertThatThrownBy(() -> writer.append(new DocumentInfo("b.txt", 0, 9), new int[0], 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  private static ShardWriter writer(Path folder, BufferAllocator allocator) {
    return new ShardWriter(folder, Split.TRAIN, SampleFolder.NARROW, SMALL, allocator);
  }

  private static void assertRow(VectorSchemaRoot root, int row, SampleFolder sample, int document) {
    int[] expected = sample.documents().get(document);
    DocumentInfo info = SampleFolder.info(document, expected);
    List<Integer> tokens = new ArrayList<>();
    for (Object token : ((ListVector) root.getVector("tokens")).getObject(row)) {
      tokens.add(token instanceof Character narrow ? (int) narrow : (int) token);
    }
    assertThat(tokens).hasSize(expected.length + 1).endsWith(sample.tokenizer().endOfText());
    assertThat(tokens.subList(0, expected.length).stream().mapToInt(i -> i).toArray())
        .isEqualTo(expected);
    assertThat(((VarCharVector) root.getVector("source")).getObject(row))
        .hasToString(info.source());
    assertThat(((BigIntVector) root.getVector("record")).get(row)).isEqualTo(info.record());
    assertThat(((BigIntVector) root.getVector("bytes")).get(row)).isEqualTo(info.bytes());
  }
}
