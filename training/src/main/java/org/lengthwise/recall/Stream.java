package org.lengthwise.recall;

/** What strings are drawn for. Strings of two streams are drawn independently. */
public enum Stream {
  TRAIN,
  VALIDATION,
  /** The check that a trained model has learned its task. */
  LEARNED,
  TEST
}
