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

  public String label() {
    return EnumName.of(this);
  }
}
