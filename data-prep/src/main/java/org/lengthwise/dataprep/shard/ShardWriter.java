package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * Writes the documents of one split into shards, in the order in which they are appended.
 *
 * <p>Memory holds one record batch. Each shard's size, checksum and counts are known as soon as it
 * is complete, from the bytes on their way out. Not for use from several threads at once.
 */
public final class ShardWriter implements AutoCloseable {
  /** Buffers double while they grow, and the old one lives until the new one is filled. */
  private static final int GROWTH = 4;

  /** What empty columns start with, however small the limits. */
  private static final long SMALLEST_BUFFERS = 1L << 20;

  private final Path folder;
  private final Split split;
  private final TokenizerIdentity tokenizer;
  private final ShardLimits limits;
  private final BufferAllocator allocator;
  private final DocumentBatch batch;
  private final List<ShardEntry> finished = new ArrayList<>();
  private @Nullable OpenShard shard;
  private boolean marked;
  private boolean ended;

  /**
   * Starts a split.
   *
   * @param folder the local folder to write into, which exists
   * @param split the split whose name the files carry
   * @param tokenizer what made the tokens
   * @param limits how large batches and shards grow
   * @param parent the allocator to take memory from
   */
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
   * Adds a document; the writer itself appends the end-of-text token.
   *
   * @param info where the document came from
   * @param tokens its tokens, without end-of-text
   * @param length how many of them there are
   * @throws IOException when a shard cannot be written
   * @throws IllegalArgumentException when a token is outside the vocabulary
   * @throws ConfigException when the document alone is larger than a shard may be
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
   * Completes the last shard.
   *
   * @return all shards of the split, in order; none when no document was appended
   * @throws IOException when a shard cannot be written
   */
  public List<ShardEntry> finish() throws IOException {
    ended = true;
    if (shard != null) {
      finishShard(shard);
    }
    return List.copyOf(finished);
  }

  /**
   * Gives back all memory, and removes a shard that was begun but not completed, unless a mark was
   * set.
   *
   * @throws IOException when that shard cannot be removed
   */
  @Override
  public void close() throws IOException {
    ended = true;
    try {
      if (shard != null) {
        if (marked) {
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
   * Notes where the writer is, once everything it wrote has reached the disk. Files stay from now
   * on when it is closed.
   *
   * @param pendingFolder takes the documents of the batch that is being filled
   * @return what {@link #takeUp} needs to go on from here
   * @throws IOException when something cannot be written
   */
  public SplitMark mark(Path pendingFolder) throws IOException {
    marked = true;
    if (shard == null) {
      return new SplitMark(finished, null, null);
    }
    return new SplitMark(
        finished, shard.mark(), batch.numRows() == 0 ? null : writePending(pendingFolder));
  }

  private ShardEntry writePending(Path folder) throws IOException {
    Path file = folder.resolve(ShardFormat.fileName(split, finished.size()));
    try (OpenShard pending = OpenShard.create(file, batch)) {
      pending.writeBatch();
      return pending.finish();
    }
  }

  /**
   * Goes on where another writer of the same split was. Whatever was written after its mark is cut
   * off.
   *
   * @param mark where it was
   * @param pendingFolder the folder given to {@link #mark}
   * @return whether the files are what they were; if not, this writer cannot be used
   * @throws IOException when a file cannot be read or cut
   */
  public boolean takeUp(SplitMark mark, Path pendingFolder) throws IOException {
    marked = true;
    for (ShardEntry entry : mark.finished()) {
      Path file = folder.resolve(entry.file());
      if (!Files.exists(file)
          || Files.size(file) != entry.bytes()
          || !Sha256.of(file).equals(entry.sha256())) {
        return false;
      }
    }
    finished.addAll(mark.finished());
    if (mark.open() != null) {
      shard = OpenShard.takeUp(folder, mark.open(), batch).orElse(null);
      return shard != null
          && (mark.pending() == null
              || PendingDocuments.read(pendingFolder, mark.pending(), allocator, batch::append));
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
          "a document that fits a shard of %,d bytes".formatted(limits.shardBytes()),
          "%,d tokens, which take up to %,d bytes".formatted(length + 1L, bytes),
          "allow larger shards (at most %,d bytes) or divide the document"
              .formatted(ShardLimits.MAX_SHARD_BYTES));
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
          "%s was foreseen to stay within %d bytes, but has %d"
              .formatted(entry.file(), limits.shardBytes(), entry.bytes()));
    }
    finished.add(entry);
  }

  private void requireVocabulary(DocumentInfo info, int[] tokens, int length) {
    for (int i = 0; i < length; i++) {
      if (tokens[i] < 0 || tokens[i] >= tokenizer.vocabularySize()) {
        throw new IllegalArgumentException(
            "%s, record %d: token %d must be in [0, %d), found %d"
                .formatted(info.source(), info.record(), i, tokenizer.vocabularySize(), tokens[i]));
      }
    }
  }
}
