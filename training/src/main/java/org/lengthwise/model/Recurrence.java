package org.lengthwise.model;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.config.Checks;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionalScheme;

/**
 * What a model carries from one chunk of a sequence to the next. A positional scheme says what a
 * query sees; a recurrence says in which order the blocks run.
 *
 * <p>Chunk i is the positions i C to (i + 1) C - 1. The last chunk may be shorter. Chunks count
 * from the first position that the model reads, and nothing is carried into it.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Recurrence permits BlockRecurrence, NoRecurrence, Staircase {
  /** {@return the recurrence of a plain transformer: none} */
  static Recurrence none() {
    return new NoRecurrence();
  }

  /**
   * {@return the recurrence's name in results and messages: {@code none}, or the kind and its
   * settings}
   */
  String label();

  /**
   * Checks that a model can have this recurrence.
   *
   * @throws IllegalArgumentException if it cannot, with the expected and the found value
   */
  default void requireModel(int layers, PositionalScheme position, DecoderForm form) {
    Checks.require(
        position.attendsByDistance(),
        "position",
        "attention that depends on the distance alone, because of recurrence "
            + label()
            + " (in a formula: no m, n or T, and no condition except a window)",
        Stream.concat(Stream.of(position.label()), position.described().stream())
            .collect(Collectors.joining(", ")));
    Checks.require(
        form.causal(), "model.causal", "true, because of recurrence " + label(), form.causal());
  }

  /** {@return C, the number of positions of a chunk; 1 without recurrence} */
  int chunk();

  /**
   * {@return a warning of what is unusual about this recurrence in training, or empty if chunks
   * follow one another and read one another}
   *
   * @param length T_tr
   */
  default Optional<String> warning(int length) {
    return Optional.empty();
  }

  /**
   * {@return the warning if a training sequence has one chunk, or empty if there are several
   * chunks}
   *
   * @param chunk C
   * @param length T_tr
   */
  static Optional<String> oneChunk(int chunk, int length) {
    return chunk < length
        ? Optional.empty()
        : Optional.of(
            "recurrence.chunk %s is not below the training length %s: no recurrence is trained"
                .formatted(chunk, length));
  }

  /** {@return how many times each block runs over a position: N of a Staircase, otherwise 1} */
  default int passes() {
    return 1;
  }

  /**
   * {@return the number of positions that run through the blocks together: N C of a Staircase, at
   * most T; otherwise T}
   */
  default int rowLength(int length) {
    return length;
  }

  /**
   * {@return whether the scheme of a model can be changed at test time; always true for {@link
   * PositionChange#NONE}}
   */
  default boolean allows(PositionChange change) {
    return change.equals(PositionChange.NONE);
  }

  /**
   * {@return whether a text of any length can be read with a state of constant size: true for a
   * Staircase, and for block recurrence under a scheme with windows}
   */
  default boolean hasBoundedState(PositionalScheme position) {
    return false;
  }

  /** {@return the number of calls of blocks that must follow one another; K without recurrence} */
  default long sequentialCalls(int layers, long length) {
    return layers;
  }

  /** {@return the theoretical receptive field of the last position, from 1 to T} */
  default long receptiveField(int layers, PositionalScheme position, long length) {
    return position.reach().receptiveField(layers, length);
  }

  /**
   * {@return the number of positions of a row that a block computes if only the last position is
   * needed}
   */
  default long positionsForLast(int layers, PositionalScheme position, int length) {
    return rowLength(length);
  }

  /**
   * {@return the number of vectors of width d that training keeps of a sequence, beyond those of
   * the blocks}
   */
  default long extraVectors(int length) {
    return 0;
  }

  /**
   * {@return the floating-point operations of one training token in what the recurrence adds to the
   * blocks}
   */
  default double extraFlops(int width) {
    return 0;
  }
}
