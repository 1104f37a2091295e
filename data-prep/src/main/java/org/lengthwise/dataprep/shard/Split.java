package org.lengthwise.dataprep.shard;

import java.util.Locale;

/** The part of a corpus that a document belongs to. */
public enum Split {
  /** What models learn from. */
  TRAIN,
  /** What is watched during training. */
  VALIDATION,
  /** What final numbers are measured on. */
  TEST;

  /**
   * The split's name in files and on the command line.
   *
   * @return the name in lower case
   */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
