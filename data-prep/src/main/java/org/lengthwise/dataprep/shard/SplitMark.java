package org.lengthwise.dataprep.shard;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A split that is being written, as it was between two documents.
 *
 * @param finished its complete shards, in order
 * @param open the shard being written, without the documents of the batch being filled; null if
 *     there is none
 * @param pending those documents, a shard of their own in another folder; null if there are none
 */
public record SplitMark(
    List<ShardEntry> finished, @Nullable ShardMark open, @Nullable ShardEntry pending) {

  /** Takes a copy, and checks that documents wait only for a shard that was begun. */
  public SplitMark {
    finished = List.copyOf(finished);
    if (pending != null && open == null) {
      throw new IllegalArgumentException("documents cannot be pending without an open shard");
    }
  }
}
