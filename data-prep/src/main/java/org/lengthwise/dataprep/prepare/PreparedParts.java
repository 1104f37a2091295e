package org.lengthwise.dataprep.prepare;

import java.util.List;
import org.lengthwise.dataprep.shard.InputEntry;

/**
 * What became of some parts of a corpus.
 *
 * @param summary what was written
 * @param files the identities of those parts that are whole files, in the order of reading
 */
public record PreparedParts(PrepareSummary summary, List<InputEntry> files) {

  /** Takes a copy. */
  public PreparedParts {
    files = List.copyOf(files);
  }
}
