package org.lengthwise.dataprep.prepare;

/** Which documents are left out because they repeat an earlier one. */
public enum Deduplication {
  /** None: every document counts. */
  NONE,
  /** Those whose {@linkplain TextKey normalised text} an earlier document of the run had. */
  EXACT
}
