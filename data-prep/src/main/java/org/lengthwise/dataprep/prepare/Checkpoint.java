package org.lengthwise.dataprep.prepare;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.artifact.AppendedFile.Mark;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitMark;
import org.lengthwise.dataprep.source.Place;

/**
 * An unfinished preparation between two documents: what {@code progress.json} holds.
 *
 * @param number how many checkpoints this output has had, this one included
 * @param place where in the corpus it is
 * @param files the list of the input files that were read to their end
 * @param output what was written
 * @param seconds how long it took to get there, over all attempts
 */
record Checkpoint(long number, Place place, Mark files, Output output, double seconds) {

  /**
   * What was written, and counted, up to a document.
   *
   * @param splits the shards
   * @param rejects the records set aside
   * @param seen the keys of the texts so far; null when texts may repeat
   * @param counts what is counted beside
   */
  record Output(
      Map<Split, SplitMark> splits, RejectsFile.Mark rejects, @Nullable Mark seen, Counts counts) {

    /** Takes a copy. */
    Output {
      splits = Map.copyOf(splits);
    }
  }

  /**
   * Counts of what leaves no trace in the files.
   *
   * @param textBytes the length of all documents in UTF-8
   * @param passedOver archive entries of a binary format, or empty
   * @param duplicates documents left out because their text had occurred
   */
  record Counts(long textBytes, long passedOver, long duplicates) {
    static final Counts ZERO = new Counts(0, 0, 0);

    Counts withDocument(int numBytes) {
      return new Counts(textBytes + numBytes, passedOver, duplicates);
    }

    Counts withPassedOver() {
      return new Counts(textBytes, passedOver + 1, duplicates);
    }

    Counts withDuplicate() {
      return new Counts(textBytes, passedOver, duplicates + 1);
    }
  }
}
