package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;

/**
 * Writes the documents of one split into shards, in the order of {@link #append}.
 *
 * <p>One record batch is in memory. Size, checksum and counts of each shard are computed while it
 * is written. Not safe for use by several threads.
 */
public final class ShardWriter implements AutoCloseable {
  /** A growing buffer doubles, and the old one is kept until the new one is filled. */
  private static final int GROWTH = 4;

  /** The memory of empty columns, for all limits. */
  private static final long SMALLEST_BUFFERS = 1L << 20;

  private final Path folder;
  private final Split split;
  private final TokenizerIdentity tokenizer;
  private final ShardLimits limits;
  private final BufferAllocator allocator;
  private final DocumentBatch batch;
  private final List<ShardEntry> finished = new ArrayList<>();
  private @Nullable OpenShard shard;
  private boolean saved;
  private boolean ended;

  /** Starts a split in an existing local folder. */
  public ShardWriter(
      Path folder,
      Split split,
      TokenizerIdentity tokenizer,
      ShardLimits limits,
      BufferAllocator parent) {
    this.folder = folder;
    this.split = split;
    this.tokenizer = tokenizer;
    this.limits = limits;
    allocator =
        parent.newChildAllocator(
            "shard-writer-" + split.label(), 0, SMALLEST_BUFFERS + GROWTH * limits.shardBytes());
    batch = new DocumentBatch(ShardFormat.schema(split, tokenizer), tokenizer, allocator);
  }

  /**
   * Appends a document and the end-of-text token.
   *
   * @param tokens its tokens, without end-of-text
   * @throws IllegalArgumentException if a token is outside the vocabulary
   * @throws ConfigException if the document alone exceeds the limit of a shard
   */
  public void append(DocumentInfo info, int[] tokens, int length) throws IOException {
    requireVocabulary(info, tokens, length);
    if (ended) {
      throw new IllegalStateException("the split " + split.label() + " is finished");
    }
    if (shard != null && batch.numRows() > 0 && !fitsBatch(length)) {
      shard.writeBatch();
      batch.reset();
    }
    if (shard != null
        && shard.maxBytesWith(batch.maxBytesWith(info, length)) > limits.shardBytes()) {
      finishShard(shard);
    }
    if (shard == null) {
      shard = startShard(info, length);
    }
    batch.append(info, tokens, length);
  }

  /**
   * {@return all shards of the split in order; empty if no document was appended} Completes the
   * last shard.
   */
  public List<ShardEntry> finish() throws IOException {
    ended = true;
    if (shard != null) {
      finishShard(shard);
    }
    return List.copyOf(finished);
  }

  /** Releases all memory. An unfinished shard is deleted, unless its state was saved. */
  @Override
  public void close() throws IOException {
    ended = true;
    try {
      if (shard != null) {
        if (saved) {
          shard.close();
        } else {
          shard.abandon();
        }
        shard = null;
      }
    } finally {
      batch.close();
      allocator.close();
    }
  }

  /**
   * Forces all files to the disk and returns the state. From now on {@link #close} keeps the
   * unfinished shard.
   *
   * @param pendingFolder the folder for the documents of the batch that is being filled
   */
  public SplitState save(Path pendingFolder) throws IOException {
    saved = true;
    if (shard == null) {
      return new SplitState(finished, null, null);
    }
    return new SplitState(
        finished, shard.save(), batch.numRows() == 0 ? null : writePending(pendingFolder));
  }

  private ShardEntry writePending(Path folder) throws IOException {
    Path file = folder.resolve(ShardFormat.fileName(split, finished.size()));
    try (OpenShard pending = OpenShard.create(file, batch)) {
      pending.writeBatch();
      return pending.finish();
    }
  }

  /**
   * Resumes from the state of an earlier writer of the same split. Bytes that were written after
   * the state was saved are removed.
   *
   * @param pendingFolder the folder given to {@link #save}
   * @return whether the files still hold that state; if not, this writer cannot be used
   */
  public boolean resume(SplitState state, Path pendingFolder) throws IOException {
    saved = true;
    for (ShardEntry entry : state.finished()) {
      Path file = folder.resolve(entry.file());
      if (!Files.exists(file)
          || Files.size(file) != entry.bytes()
          || !Sha256.of(file).equals(entry.sha256())) {
        return false;
      }
    }
    finished.addAll(state.finished());
    if (state.open() != null) {
      shard = OpenShard.resume(folder, state.open(), batch).orElse(null);
      return shard != null
          && (state.pending() == null || batch.restore(pendingFolder, state.pending(), allocator));
    }
    return true;
  }

  private boolean fitsBatch(int length) {
    return batch.numTokens() + length + 1L <= limits.batchTokens();
  }

  private OpenShard startShard(DocumentInfo info, int length) throws IOException {
    Path file = folder.resolve(ShardFormat.fileName(split, finished.size()));
    OpenShard started = OpenShard.create(file, batch);
    long bytes = started.maxBytesWith(batch.maxBytesWith(info, length));
    if (bytes > limits.shardBytes()) {
      started.abandon();
      throw new ConfigException(
          info.source() + ", record " + info.record(),
          "a document that fits into a shard of %s bytes".formatted(Count.of(limits.shardBytes())),
          "%s tokens, which need up to %s bytes".formatted(Count.of(length + 1L), Count.of(bytes)),
          "set a larger shard_bytes (at most %s) or split the document"
              .formatted(Count.of(ShardLimits.MAX_SHARD_BYTES)));
    }
    return started;
  }

  private void finishShard(OpenShard open) throws IOException {
    if (batch.numRows() > 0) {
      open.writeBatch();
      batch.reset();
    }
    ShardEntry entry = open.finish();
    shard = null;
    if (entry.bytes() > limits.shardBytes()) {
      throw new IllegalStateException(
          "%s must have at most %s bytes, but has %s"
              .formatted(entry.file(), limits.shardBytes(), entry.bytes()));
    }
    finished.add(entry);
  }

  private void requireVocabulary(DocumentInfo info, int[] tokens, int length) {
    for (int i = 0; i < length; i++) {
      if (tokens[i] < 0 || tokens[i] >= tokenizer.vocabularySize()) {
        throw new IllegalArgumentException(
            "%s, record %s: token %s must be in [0, %s), found %s"
                .formatted(info.source(), info.record(), i, tokenizer.vocabularySize(), tokens[i]));
      }
    }
  }
}
