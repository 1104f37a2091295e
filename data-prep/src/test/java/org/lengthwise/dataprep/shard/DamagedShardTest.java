package org.lengthwise.dataprep.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.Count;
import org.lengthwise.error.DataFormatException;

class DamagedShardTest {
  private static final String SHARD = "train-00000.arrow";

  private Path folder = Path.of("");
  private Path shard = Path.of("");
  private byte[] right = {};

  @BeforeEach
  void writeValidFolder(@TempDir Path scratch) throws IOException {
    folder = scratch.resolve("shards");
    shard = folder.resolve(SHARD);
    SampleFolder.write(folder, SampleFolder.NARROW, new ShardLimits(1_000, 1 << 20), 11);
    right = Files.readAllBytes(shard);
  }

  @Test
  void aTruncatedShardDiffersFromTheManifest() throws IOException {
    Files.write(shard, Arrays.copyOf(right, right.length - 100));
    assertRejected(
        "%s bytes, as in the manifest, found %s bytes"
            .formatted(Count.of(right.length), Count.of(right.length - 100)));
  }

  @Test
  void aShardWithoutItsEndIsReportedAsTruncated() throws IOException {
    byte[] damaged = right.clone();
    Arrays.fill(damaged, damaged.length - 100, damaged.length, (byte) 0);
    Files.write(shard, damaged);
    assertRejected("which ends with ARROW1, found other bytes: the file is truncated");
  }

  @Test
  void anotherKindOfFileIsNotAShard() throws IOException {
    Files.write(shard, new byte[right.length]);
    assertRejected("an Arrow IPC file, which starts with ARROW1, found another kind of file");
  }

  @Test
  void aMissingShardIsNamed() throws IOException {
    Files.delete(shard);
    assertRejected("the shard that the manifest lists, found no such file");
  }

  @Test
  void aShardOfAnotherSplitIsRejected() throws IOException {
    replaceInShard("\"split\":\"train\"", "\"split\":\"trial\"");
    assertRejected("expected the schema metadata {\"format_version\":1,\"split\":\"train\",");
  }

  @Test
  void aShardOfAnotherTokenizerIsRejected() throws IOException {
    replaceInShard("0".repeat(64), "f".repeat(64));
    assertRejected(
        ", found {\"format_version\":1,\"split\":\"train\",\"tokenizer\":{\"name\":\"sample\",\"sha256\":\"fff");
  }

  @Test
  void aShardOfAnotherVersionIsRejected() throws IOException {
    replaceInShard("\"format_version\":1", "\"format_version\":2");
    assertRejected(", found {\"format_version\":2,");
  }

  @Test
  void anArrowFileWithoutTheMetadataIsRejected() throws IOException {
    replaceInShard("lengthwise", "widthwise.");
    assertRejected(", found none;");
  }

  @Test
  void aManifestOfAnotherVersionIsRejected() throws IOException {
    Path manifest = folder.resolve(Manifest.FILE);
    Files.writeString(
        manifest,
        Files.readString(manifest).replace("\"format_version\" : 1", "\"format_version\" : 9"));
    assertThatThrownBy(() -> ShardFolder.open(folder.toString()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("manifest.json: expected format_version 1, found 9");
  }

  @Test
  void aMissingKeyOfTheManifestIsNamed() throws IOException {
    Path manifest = folder.resolve(Manifest.FILE);
    String without = Files.readString(manifest).replaceFirst("\"duplicates\" : \\d+,", "");
    Files.writeString(manifest, without);
    assertThatThrownBy(() -> ShardFolder.open(folder.toString()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("found no duplicates")
        .hasMessageContaining("prepare the folder again");
  }

  @Test
  void aDamagedManifestIsRejected() throws IOException {
    Path manifest = folder.resolve(Manifest.FILE);
    String extended = Files.readString(manifest).replaceFirst("\\{", "{ \"colour\" : 2,");
    Files.writeString(manifest, extended);
    assertThatThrownBy(() -> ShardFolder.open(folder.toString()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("manifest.json: expected a manifest of format version 1");
    Files.writeString(folder.resolve(Manifest.FILE), "{");
    assertThatThrownBy(() -> ShardFolder.open(folder.toString()))
        .isInstanceOf(DataFormatException.class);
  }

  @Test
  void countsThatDifferFromTheManifestAreRejected() throws IOException {
    Path manifest = folder.resolve(Manifest.FILE);
    Manifest held = Manifest.read(folder);
    String documents = "\"documents\" : " + held.split(Split.TRAIN).documents();
    Files.writeString(
        manifest,
        Files.readString(manifest)
            .replace(documents, "\"documents\" : " + (held.split(Split.TRAIN).documents() - 1)));
    assertRejected("tokens, as in the manifest, found");
  }

  @Test
  void aFlippedBitInTheTokensIsFoundByTheChecksum() throws IOException {
    byte[] damaged = right.clone();
    damaged[right.length / 2] ^= 1;
    Files.write(shard, damaged);
    try (ShardFolder opened = ShardFolder.open(folder.toString())) {
      assertThatThrownBy(() -> opened.tokens(Split.TRAIN))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContaining(SHARD + ": expected the SHA-256 ")
          .hasMessageContaining("of the manifest, found ");
      assertThat(opened.tokens(Split.VALIDATION).numTokens())
          .as("another split, which is whole")
          .isPositive();
      assertThatThrownBy(opened::verifyChecksums).isInstanceOf(DataFormatException.class);
    }
  }

  @Test
  void anyDamagedByteIsHarmlessOrReported() throws IOException {
    long seed = Long.getLong("lengthwise.test.seed", 17);
    Random random = new Random(seed);
    int refused = 0;
    for (int i = 0; i < 100; i++) {
      byte[] damaged = right.clone();
      int fromEnd = random.nextInt(3_000);
      damaged[right.length - 1 - fromEnd] ^= (byte) (1 << random.nextInt(8));
      Files.write(shard, damaged);
      try (ShardFolder opened = ShardFolder.open(folder.toString())) {
        assertThat(opened.tokens(Split.TRAIN).numTokens()).as("seed %d", seed).isPositive();
      } catch (DataFormatException e) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void aRejectedFolderReleasesItsMappedShards() throws IOException {
    Path later = folder.resolve("validation-00000.arrow");
    Files.write(later, new byte[Math.toIntExact(Files.size(later))]);
    assertThatThrownBy(() -> ShardFolder.open(folder.toString()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("validation-00000.arrow: expected an Arrow IPC file");
  }

  /** Changes both copies of the schema: at the start of the file and in its footer. */
  private void replaceInShard(String old, String replacement) throws IOException {
    String text = new String(right, StandardCharsets.ISO_8859_1);
    assertThat(text).contains(old);
    Files.write(shard, text.replace(old, replacement).getBytes(StandardCharsets.ISO_8859_1));
  }

  private void assertRejected(String expected) {
    assertThatThrownBy(() -> ShardFolder.open(folder.toString()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(SHARD)
        .hasMessageContaining(expected);
  }
}
