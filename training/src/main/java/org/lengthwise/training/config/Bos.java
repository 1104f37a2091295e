package org.lengthwise.training.config;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/** Whether a model reads BOS, its token for the beginning of a document, before a text. */
public enum Bos {
  /** As the model was trained. */
  AUTO,
  /** No model reads it. */
  NONE;

  /** {@return the id of BOS; empty if it is not read} */
  public Optional<Integer> of(Optional<Integer> trained) {
    return this == AUTO ? trained : Optional.empty();
  }

  /** {@return the ids of a text after those that the model reads before it} */
  public int[] before(int[] ids, Optional<Integer> trained) {
    IntStream first = of(trained).stream().mapToInt(Integer::intValue);
    return IntStream.concat(first, Arrays.stream(ids)).toArray();
  }
}
