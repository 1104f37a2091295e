package org.lengthwise.dataprep.shard;

import java.util.List;
import java.util.Objects;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.AppendedFile;
import org.lengthwise.config.Checks;

/**
 * The state of a {@link ShardWriter} between two documents, from which another writer can resume.
 *
 * @param open the unfinished shard without the batch that is being filled; null if there is none
 * @param pending the documents of that batch, stored as a shard in another folder; null if none
 */
public record SplitState(
    List<ShardEntry> finished, @Nullable OpenShardState open, @Nullable ShardEntry pending) {

  public SplitState {
    finished = List.copyOf(finished);
    Checks.require(
        pending == null || open != null, "open", "a shard for pending documents", "none");
  }

  /**
   * An unfinished shard after a whole batch: its content up to this batch, and the batches for its
   * footer.
   */
  public record OpenShardState(
      String file,
      AppendedFile.Prefix content,
      long documents,
      long tokens,
      List<BatchPlace> batches) {

    public OpenShardState {
      Objects.requireNonNull(file, "file");
      Objects.requireNonNull(content, "content");
      batches = List.copyOf(batches);
    }
  }

  /**
   * A record batch as the footer lists it.
   *
   * @param metadataLength the length of its message in bytes, with the message's prefix
   */
  public record BatchPlace(long offset, int metadataLength, long bodyLength) {

    static BatchPlace of(ArrowBlock block) {
      return new BatchPlace(block.getOffset(), block.getMetadataLength(), block.getBodyLength());
    }

    ArrowBlock block() {
      return new ArrowBlock(offset, metadataLength, bodyLength);
    }
  }
}
