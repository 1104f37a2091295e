package org.lengthwise.dataprep.inspect;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.inspect.DocumentSample.SampleDocument;
import org.lengthwise.dataprep.inspect.ShardSummary.SplitSummary;
import org.lengthwise.dataprep.shard.DocumentInfo;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardFormat;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.shard.ShardWriter;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.tokenizer.BytesTokenizer;
import org.lengthwise.dataprep.tokenizer.Gpt2Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

class ShardSummaryTest {
  private static final List<String> TRAIN = List.of("first", "zwölf", "the third document");
  private static final List<String> TEST = List.of("", "end");

  private Path path = Path.of("");

  @BeforeEach
  void writeFolder(@TempDir Path scratch) throws IOException {
    path = scratch.resolve("shards");
    try (Tokenizer bytes = new BytesTokenizer();
        BufferAllocator allocator = new RootAllocator()) {
      TokenizerIdentity identity =
          new TokenizerIdentity(
              bytes.name(), bytes.sha256(), bytes.vocabularySize(), bytes.endOfText());
      ArtifactFolder.create(
          path,
          folder -> {
            Map<Split, SplitEntry> splits = new EnumMap<>(Split.class);
            splits.put(Split.VALIDATION, SplitEntry.of(List.of()));
            splits.put(Split.TRAIN, write(folder, Split.TRAIN, TRAIN, identity, allocator));
            splits.put(Split.TEST, write(folder, Split.TEST, TEST, identity, allocator));
            new Manifest(
                    ShardFormat.VERSION,
                    identity,
                    List.of(),
                    ConfigLoader.strictMapper().createObjectNode(),
                    splits,
                    0,
                    0,
                    BuildInfo.current())
                .write(folder);
          });
    }
  }

  /** Batches of about two documents, so that counts and samples span several. */
  private static SplitEntry write(
      Path folder,
      Split split,
      List<String> documents,
      TokenizerIdentity identity,
      BufferAllocator allocator)
      throws IOException {
    ShardLimits limits = new ShardLimits(12, 1 << 20);
    try (ShardWriter writer = new ShardWriter(folder, split, identity, limits, allocator);
        Tokenizer bytes = new BytesTokenizer()) {
      for (String text : documents) {
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        DocumentInfo info = new DocumentInfo("ä.txt", documents.indexOf(text), length);
        writer.append(info, bytes.encode(text), length);
      }
      return SplitEntry.of(writer.finish());
    }
  }

  @Test
  void countsAreThoseOfTheDocuments() {
    try (ShardFolder folder = ShardFolder.open(path.toString())) {
      ShardSummary summary = ShardSummary.of(folder);
      assertThat(summary.documents()).isEqualTo(5);
      assertThat(summary.textBytes()).isEqualTo(5 + 6 + 18 + 0 + 3);
      assertThat(summary.tokens()).isEqualTo(summary.textBytes() + 5);
      assertThat(summary.bytesPerToken()).isEqualTo(1);
      assertThat(summary.lengths().bins())
          .extracting(LengthHistogram.Bin::documents)
          .containsExactly(1L, 0L, 3L, 0L, 1L);
      SplitSummary test = new SplitSummary(2, 5, 3, 2 / 5.0, 5 / 37.0);
      assertThat(summary.splits()).containsEntry(Split.TEST, test);
      assertThat(summary.splits().values().stream().mapToDouble(SplitSummary::shareOfTokens).sum())
          .isEqualTo(1, within(1e-12));
    }
  }

  @Test
  void aSampleShowsHowTheFirstDocumentsBegin() {
    try (ShardFolder folder = ShardFolder.open(path.toString());
        Tokenizer bytes = new BytesTokenizer()) {
      List<SampleDocument> sample = new DocumentSample(9, 4).read(folder, bytes);
      assertThat(sample)
          .extracting(SampleDocument::beginning)
          .containsExactly("firs", "zwö", "the ");
      assertThat(sample.get(2))
          .isEqualTo(new SampleDocument(Split.TRAIN, new DocumentInfo("ä.txt", 2, 18), 19, "the "));
      assertThat(new DocumentSample(1, 100).read(folder, bytes))
          .extracting(SampleDocument::beginning)
          .containsExactly("first");
    }
  }

  @Test
  void aSampleReadsOnlyTheTokensThatItShows() throws IOException {
    alter("third", 'x');
    try (ShardFolder folder = ShardFolder.open(path.toString());
        Tokenizer bytes = new BytesTokenizer()) {
      assertThat(new DocumentSample(3, 4).read(folder, bytes)).hasSize(3);
      assertThatThrownBy(folder::verifyChecksums).isInstanceOf(DataFormatException.class);
    }
  }

  @Test
  void aTokenOutsideTheVocabularyIsNotDecoded() throws IOException {
    alter("first", '\u7777');
    try (ShardFolder folder = ShardFolder.open(path.toString());
        Tokenizer bytes = new BytesTokenizer()) {
      assertThatThrownBy(() -> new DocumentSample(3, 4).read(folder, bytes))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContaining("expected tokens below 257, found the token " + 0x7777);
    }
  }

  /** Overwrites the first token of a word in the training split. */
  private void alter(String word, char token) throws IOException {
    Path shard = path.resolve("train-00000.arrow");
    String content = Files.readString(shard, StandardCharsets.ISO_8859_1);
    int place = content.indexOf(new String(word.getBytes(UTF_16LE), StandardCharsets.ISO_8859_1));
    byte[] altered = Files.readAllBytes(shard);
    altered[place] = (byte) token;
    altered[place + 1] = (byte) (token >> 8);
    Files.write(shard, altered);
  }

  @Test
  void aCharacterThatIsCutIsOmitted() {
    try (ShardFolder folder = ShardFolder.open(path.toString());
        Tokenizer bytes = new BytesTokenizer()) {
      assertThat(new DocumentSample(2, 3).read(folder, bytes))
          .extracting(SampleDocument::beginning)
          .containsExactly("fir", "zw");
    }
  }

  @Test
  void aSampleNeedsTheTokenizerOfTheFolder() {
    try (ShardFolder folder = ShardFolder.open(path.toString());
        Tokenizer gpt2 = new Gpt2Tokenizer()) {
      DocumentSample sample = new DocumentSample(1, 4);
      assertThatThrownBy(() -> sample.read(folder, gpt2))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("--tokenizer: expected the tokenizer of the folder, bytes")
          .hasMessageContaining("found gpt2");
    }
  }
}
