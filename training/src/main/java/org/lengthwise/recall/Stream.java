package org.lengthwise.recall;

/** What strings are drawn for. Strings of two streams have nothing in common. */
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
