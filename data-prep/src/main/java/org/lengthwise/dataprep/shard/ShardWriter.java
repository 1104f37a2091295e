package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Writes the documents of one split into shards, in the order in which they are appended. */
public final class ShardWriter implements AutoCloseable {

  /**
   * Starts a split.
   *
   * @param folder the local folder to write into
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
      BufferAllocator parent) {}

  /**
   * Adds a document; the writer itself appends the end-of-text token.
   *
   * @param info where the document came from
   * @param tokens its tokens, without end-of-text
   * @param length how many of them there are
   * @throws IOException when a shard cannot be written
   */
  public void append(DocumentInfo info, int[] tokens, int length) throws IOException {
    pending();
  }

  /**
   * Completes the last shard.
   *
   * @return all shards of the split, in order; none when no document was appended
   * @throws IOException when a shard cannot be written
   */
  public List<ShardEntry> finish() throws IOException {
    return pending();
  }

  /** Gives back all memory, and removes the shard that was not completed. */
  @Override
  public void close() throws IOException {}

  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <T> T pending() {
    throw new UnsupportedOperationException();
  }
}
