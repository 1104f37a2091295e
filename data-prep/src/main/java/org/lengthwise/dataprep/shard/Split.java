package org.lengthwise.dataprep.shard;

import org.lengthwise.config.EnumName;

/** The part of a corpus that a document belongs to. */
public enum Split {
  /** For training. */
  TRAIN,
  /** For the loss during training. */
  VALIDATION,
  /** For final measurements. */
  TEST;

  /** {@return the split's name in files and on the command line, in lower case} */
  public String label() {
    return EnumName.of(this);
  }
}
