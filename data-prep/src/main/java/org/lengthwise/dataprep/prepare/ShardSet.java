package org.lengthwise.dataprep.prepare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.lengthwise.dataprep.shard.DocumentInfo;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.shard.ShardWriter;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.shard.TokenizerIdentity;

/** The shards being written, one writer for each split. */
final class ShardSet implements AutoCloseable {

  private final BufferAllocator allocator = new RootAllocator();
  private final Map<Split, ShardWriter> writers = new EnumMap<>(Split.class);
  private long textBytes;

  ShardSet(Path folder, TokenizerIdentity tokenizer, ShardLimits limits) {
    for (Split split : Split.values()) {
      writers.put(split, new ShardWriter(folder, split, tokenizer, limits, allocator));
    }
  }

  void append(Outcome.Tokenised document) throws IOException {
    DocumentInfo info =
        new DocumentInfo(document.origin().source(), document.origin().line(), document.numBytes());
    ShardWriter writer = Objects.requireNonNull(writers.get(document.split()));
    writer.append(info, document.tokens().array(), document.tokens().limit());
    textBytes += document.numBytes();
  }

  /** Completes all shards. */
  Map<Split, SplitEntry> finish() throws IOException {
    Map<Split, SplitEntry> entries = new EnumMap<>(Split.class);
    for (Map.Entry<Split, ShardWriter> writer : writers.entrySet()) {
      entries.put(writer.getKey(), SplitEntry.of(writer.getValue().finish()));
    }
    return entries;
  }

  /** The length of all documents so far, in UTF-8. */
  long textBytes() {
    return textBytes;
  }

  @Override
  public void close() throws IOException {
    try (allocator) {
      for (ShardWriter writer : writers.values()) {
        writer.close();
      }
    }
  }
}
