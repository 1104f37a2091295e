package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.source.TokenExport;
import org.lengthwise.dataprep.source.TokenFiles;
import org.lengthwise.dataprep.source.TokenFiles.Format;
import org.lengthwise.dataprep.tokenizer.Gpt2Tokenizer;
import org.lengthwise.error.ConfigException;

/** Shards to token files and back. */
class TokenFilesPreparationTest {

  private static final PrepareSettings TEXT =
      new PrepareSettings(
          new SplitFractions(0.6, 0.2, 0.2),
          0,
          1 << 20,
          Deduplication.EXACT,
          new ShardLimits(1000, 1_000_000));

  private final Path folder;
  private final Gpt2Tokenizer tokenizer = new Gpt2Tokenizer();

  TokenFilesPreparationTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    Random random = new Random(3);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      lines.append("{\"text\": \"").append(i);
      random.ints(random.nextInt(40), 0, 99999).forEach(word -> lines.append(" é").append(word));
      lines.append("\"}\n");
    }
    Files.writeString(folder.resolve("text.jsonl"), lines);
    prepare("text.jsonl", "shards", TEXT);
  }

  @ParameterizedTest
  @EnumSource(
      value = Format.class,
      names = {"NANOGPT", "MEGATRON"})
  void exportedSplitsAreReadBackIdForId(Format format) throws IOException {
    export(format);
    Path files = folder.resolve(format.label());
    String validation = format == Format.NANOGPT ? "val" : "validation";
    for (Split split : Split.values()) {
      String name = split == Split.VALIDATION ? validation : split.label();
      prepare(files.resolve(name + ".bin").toString(), name, tokens(format, split));
      assertThat(ids(name, split)).isEqualTo(ids("shards", split)).isNotEmpty();
      assertThat(lengths(name, split)).isEqualTo(lengths("shards", split));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Format.class,
      names = {"NANOGPT", "MEGATRON"})
  void eachDocumentIsInTheSplitOfItsText(Format format) throws IOException {
    export(format);
    prepare(folder.resolve(format.label()).toString(), "all", tokens(format, null));
    for (Split split : Split.values()) {
      assertThat(ids("all", split)).isEqualTo(ids("shards", split));
      assertThat(lengths("all", split)).isEqualTo(lengths("shards", split));
    }
  }

  /** nanoGPT: numpy's uint16 in the machine's order, documents one after the other. */
  @Test
  void aFileOfNanoGptIsItsIds() throws IOException {
    export(Format.NANOGPT);
    byte[] bytes = Files.readAllBytes(folder.resolve("nanogpt/train.bin"));
    int[] found = new int[bytes.length / 2];
    for (int i = 0; i < found.length; i++) {
      found[i] = Byte.toUnsignedInt(bytes[2 * i]) | (Byte.toUnsignedInt(bytes[2 * i + 1]) << 8);
    }
    assertThat(found).isEqualTo(ids("shards", Split.TRAIN));
  }

  @Test
  void anotherEndOfTextIdInTheFilesIsReplaced() throws IOException {
    Files.write(folder.resolve("x.bin"), new byte[] {1, 0, 7, 0, 2, 0, 7, 0});
    PrepareSettings settings =
        TEXT.withTokens(new TokenFiles(Format.NANOGPT, 7, 50256, 50257, Split.TEST));
    prepare("x.bin", "replaced", settings);
    assertThat(ids("replaced", Split.TEST)).containsExactly(1, 50256, 2, 50256);
  }

  @Test
  void anUnknownFormatSuggestsAnother() {
    assertThatThrownBy(
            () -> {
              try (ShardFolder shards = ShardFolder.open(folder.resolve("shards").toString())) {
                TokenExport.write(shards, "nanogtp", folder.resolve("x"));
              }
            })
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("did you mean `nanogpt`?");
  }

  private void export(Format format) throws IOException {
    try (ShardFolder shards = ShardFolder.open(folder.resolve("shards").toString())) {
      TokenExport.write(shards, format.label(), folder.resolve(format.label()));
    }
  }

  private static PrepareSettings tokens(Format format, @Nullable Split split) {
    return TEXT.withTokens(new TokenFiles(format, 50256, 50256, 50257, split));
  }

  private void prepare(String input, String output, PrepareSettings settings) throws IOException {
    Preparation.run(
        new PrepareRequest(
            List.of(folder.resolve(input).toString()),
            folder.resolve(output).toString(),
            settings,
            2),
        tokenizer);
  }

  /** All ids of a split. */
  private int[] ids(String name, Split split) {
    try (ShardFolder shards = ShardFolder.open(folder.resolve(name).toString())) {
      TokenStream stream = shards.tokens(split);
      int[] ids = new int[(int) stream.numTokens()];
      stream.read(0, ids, 0, ids.length);
      return ids;
    }
  }

  /** Tokens and bytes of each document. */
  private List<List<Long>> lengths(String name, Split split) {
    List<List<Long>> lengths = new ArrayList<>();
    try (ShardFolder shards = ShardFolder.open(folder.resolve(name).toString())) {
      shards.visitLengths(
          split, (numTokens, numBytes) -> lengths.add(Arrays.asList((long) numTokens, numBytes)));
    }
    return lengths;
  }
}
