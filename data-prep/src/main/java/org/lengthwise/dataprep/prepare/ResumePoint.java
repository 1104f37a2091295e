package org.lengthwise.dataprep.prepare;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.AppendedFile.Prefix;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitState;
import org.lengthwise.dataprep.source.CorpusOffset;

/**
 * The offset between two documents up to which a growing output is complete, and the lengths of the
 * output's files at that offset: the content of {@code progress.json}.
 *
 * @param number counts the resume points of this output, from 1
 * @param files the list of the input files that were read to their ends
 * @param seconds how long the preparation took until here, over all attempts
 */
record ResumePoint(long number, CorpusOffset offset, Prefix files, Output output, double seconds) {

  /**
   * The state of the output at the offset.
   *
   * @param seen the keys of the texts so far; null if duplicates are kept
   */
  record Output(Map<Split, SplitState> splits, Prefix rejects, @Nullable Prefix seen, Tally tally) {

    Output {
      splits = Map.copyOf(splits);
    }
  }
}
