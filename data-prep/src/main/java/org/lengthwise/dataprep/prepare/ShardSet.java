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
import org.lengthwise.dataprep.shard.SplitMark;
import org.lengthwise.dataprep.shard.TokenizerIdentity;

/** The shards being written, one writer for each split. */
final class ShardSet implements AutoCloseable {

  private final BufferAllocator allocator = new RootAllocator();
  private final Map<Split, ShardWriter> writers = new EnumMap<>(Split.class);

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
  }

  /** Completes all shards. */
  Map<Split, SplitEntry> finish() throws IOException {
    Map<Split, SplitEntry> entries = new EnumMap<>(Split.class);
    for (Map.Entry<Split, ShardWriter> writer : writers.entrySet()) {
      entries.put(writer.getKey(), SplitEntry.of(writer.getValue().finish()));
    }
    return entries;
  }

  /** Notes where all writers are; documents of unfilled batches go into the other folder. */
  Map<Split, SplitMark> mark(Path pendingFolder) throws IOException {
    Map<Split, SplitMark> marks = new EnumMap<>(Split.class);
    for (Map.Entry<Split, ShardWriter> writer : writers.entrySet()) {
      marks.put(writer.getKey(), writer.getValue().mark(pendingFolder));
    }
    return marks;
  }

  /** Goes on from there; false if the files are not what they were. */
  boolean takeUp(Map<Split, SplitMark> marks, Path pendingFolder) throws IOException {
    for (Map.Entry<Split, ShardWriter> writer : writers.entrySet()) {
      SplitMark mark = marks.get(writer.getKey());
      if (mark == null || !writer.getValue().takeUp(mark, pendingFolder)) {
        return false;
      }
    }
    return true;
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
