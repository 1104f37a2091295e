package org.lengthwise.recall;

/** What strings are drawn for. Strings of two streams are drawn independently. */
public enum Stream {
  /** Training. */
  TRAIN,
  /** Validation during training. */
  VALIDATION,
  /** The check that a trained model has learned its task. */
  LEARNED,
  /** A measurement. */
  TEST
}
