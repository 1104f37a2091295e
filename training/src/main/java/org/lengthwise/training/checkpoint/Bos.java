package org.lengthwise.training.checkpoint;

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
  public Optional<Integer> of(ModelOrigin origin) {
    return this == AUTO ? origin.bos() : Optional.empty();
  }

  /** {@return the ids of a text after those that the model reads before it} */
  public int[] before(int[] ids, ModelOrigin origin) {
    IntStream first = of(origin).stream().mapToInt(Integer::intValue);
    return IntStream.concat(first, Arrays.stream(ids)).toArray();
  }
}
