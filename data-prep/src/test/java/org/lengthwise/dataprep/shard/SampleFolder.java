package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.ConfigLoader;

/**
 * A small shard folder of random documents, with its expected tokens.
 *
 * @param path its path
 * @param documents the documents of the training split, without end-of-text
 * @param tokenizer the tokenizer in its manifest
 */
record SampleFolder(Path path, List<int[]> documents, TokenizerIdentity tokenizer) {
  static final TokenizerIdentity NARROW = tokenizer(65_536);
  static final TokenizerIdentity WIDE = tokenizer(100_000);

  static TokenizerIdentity tokenizer(int vocabularySize) {
    return new TokenizerIdentity("sample", "0".repeat(64), vocabularySize, vocabularySize - 1);
  }

  static SampleFolder write(Path path, TokenizerIdentity tokenizer, ShardLimits limits, long seed) {
    List<int[]> documents = documents(new Random(seed), tokenizer.vocabularySize());
    try (BufferAllocator allocator = new RootAllocator()) {
      ArtifactFolder.create(
          path,
          folder -> {
            Map<Split, SplitEntry> splits = new EnumMap<>(Split.class);
            splits.put(
                Split.TRAIN,
                writeSplit(folder, Split.TRAIN, documents, tokenizer, limits, allocator));
            splits.put(
                Split.VALIDATION,
                writeSplit(
                    folder,
                    Split.VALIDATION,
                    documents.subList(0, 1),
                    tokenizer,
                    limits,
                    allocator));
            splits.put(
                Split.TEST,
                writeSplit(folder, Split.TEST, List.of(), tokenizer, limits, allocator));
            manifest(tokenizer, splits).write(folder);
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new SampleFolder(path, documents, tokenizer);
  }

  /** The training split as one sequence, computed without shards. */
  int[] stream() {
    List<Integer> tokens = new ArrayList<>();
    for (int[] document : documents) {
      for (int token : document) {
        tokens.add(token);
      }
      tokens.add(tokenizer.endOfText());
    }
    return tokens.stream().mapToInt(Integer::intValue).toArray();
  }

  static DocumentInfo info(int number, int[] document) {
    return new DocumentInfo("file:///corpus/ärmel.txt", number, document.length * 2L);
  }

  private static SplitEntry writeSplit(
      Path folder,
      Split split,
      List<int[]> documents,
      TokenizerIdentity tokenizer,
      ShardLimits limits,
      BufferAllocator allocator)
      throws IOException {
    try (ShardWriter writer = new ShardWriter(folder, split, tokenizer, limits, allocator)) {
      for (int i = 0; i < documents.size(); i++) {
        int[] document = documents.get(i);
        writer.append(info(i, document), document, document.length);
      }
      return SplitEntry.of(writer.finish());
    }
  }

  private static Manifest manifest(TokenizerIdentity tokenizer, Map<Split, SplitEntry> splits) {
    return new Manifest(
        ShardFormat.VERSION,
        tokenizer,
        List.of(new InputEntry("file:///corpus", 1, "1".repeat(64))),
        ConfigLoader.strictMapper().createObjectNode().put("seed", 1),
        splits,
        0,
        0,
        BuildInfo.current());
  }

  private static List<int[]> documents(Random random, int vocabularySize) {
    List<int[]> documents = new ArrayList<>();
    documents.add(new int[0]);
    for (int i = 0; i < 300; i++) {
      documents.add(random.ints(random.nextInt(60), 0, vocabularySize).toArray());
    }
    documents.add(random.ints(500, 0, vocabularySize).toArray());
    return documents;
  }
}
