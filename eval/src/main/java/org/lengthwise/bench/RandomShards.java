package org.lengthwise.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.DocumentInfo;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardFormat;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.shard.ShardWriter;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.shard.TokenizerIdentity;

/**
 * Writes a shard folder of random tokens, all in the training split.
 *
 * @param numShards the approximate number of shards
 * @param shardBytes the largest size of a shard
 * @param seed the seed of the tokens
 */
record RandomShards(int numShards, int shardBytes, long seed) {
  /** As in conf/prepare.yaml. */
  private static final int BATCH_TOKENS = 1 << 20;

  private static final int DOCUMENT_TOKENS = 1000;

  /** Two bytes and one validity bit for a token, rounded up. */
  private static final double BYTES_PER_TOKEN = 2.2;

  private static final TokenizerIdentity TOKENIZER =
      new TokenizerIdentity("random", "0".repeat(64), 50_257, 50_256);

  void write(Path folder) throws IOException {
    ArtifactFolder.create(
        folder,
        temporary -> {
          try (BufferAllocator allocator = new RootAllocator()) {
            Map<Split, SplitEntry> splits = new EnumMap<>(Split.class);
            for (Split split : Split.values()) {
              splits.put(split, SplitEntry.of(List.of()));
            }
            splits.put(Split.TRAIN, trainingSplit(temporary, allocator));
            manifest(splits).write(temporary);
          }
        });
  }

  private SplitEntry trainingSplit(Path folder, BufferAllocator allocator) throws IOException {
    Random random = new Random(seed);
    int[] document = new int[DOCUMENT_TOKENS];
    long numDocuments = (long) (numShards * (shardBytes / BYTES_PER_TOKEN) / DOCUMENT_TOKENS);
    ShardLimits limits = new ShardLimits(BATCH_TOKENS, shardBytes);
    try (ShardWriter writer = new ShardWriter(folder, Split.TRAIN, TOKENIZER, limits, allocator)) {
      for (long i = 0; i < numDocuments; i++) {
        for (int token = 0; token < DOCUMENT_TOKENS; token++) {
          document[token] = random.nextInt(TOKENIZER.endOfText());
        }
        writer.append(new DocumentInfo("random", i, 0), document, DOCUMENT_TOKENS);
      }
      return SplitEntry.of(writer.finish());
    }
  }

  private static Manifest manifest(Map<Split, SplitEntry> splits) {
    return new Manifest(
        ShardFormat.VERSION,
        TOKENIZER,
        List.of(),
        ConfigLoader.strictMapper().createObjectNode(),
        splits,
        0,
        0,
        BuildInfo.current());
  }
}
