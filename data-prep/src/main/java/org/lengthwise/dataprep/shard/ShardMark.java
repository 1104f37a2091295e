package org.lengthwise.dataprep.shard;

import java.util.List;
import java.util.Objects;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.lengthwise.dataprep.artifact.AppendedFile;

/**
 * An unfinished shard as it was after some whole batch.
 *
 * @param file its name in the folder
 * @param content its length and checksum at that moment
 * @param documents the number of documents in it
 * @param tokens the number of tokens in it, end-of-text included
 * @param batches its record batches, which a footer will list
 */
public record ShardMark(
    String file, AppendedFile.Mark content, long documents, long tokens, List<Batch> batches) {

  /** Takes a copy. */
  public ShardMark {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(content, "content");
    batches = List.copyOf(batches);
  }

  /**
   * A record batch, as a footer lists it.
   *
   * @param offset where it starts in the file
   * @param metadataLength the length of its message in bytes, with the message's prefix
   * @param bodyLength the length of its buffers in bytes
   */
  public record Batch(long offset, int metadataLength, long bodyLength) {

    static Batch of(ArrowBlock block) {
      return new Batch(block.getOffset(), block.getMetadataLength(), block.getBodyLength());
    }

    ArrowBlock block() {
      return new ArrowBlock(offset, metadataLength, bodyLength);
    }
  }
}
