package org.lengthwise.positional;

import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * A scheme whose weights depend on rows: on the scores of a query's other keys, on those of other
 * heads, or on numbers that each position carries. Such weights have no table by position.
 *
 * <p>A scheme may be built around an {@linkplain #inner inner} scheme, whose rotations or biases it
 * keeps.
 */
public sealed interface RowScheme extends CompoundScheme
    permits Cope, Dape, ForgetGate, StickBreaking {

  /** What a kernel computes: each rule is a method of {@code rows.py}. */
  enum Rule {
    /** CoPE, whose bias is added to a score. */
    CONTEXTUAL,
    /** CoPE, whose bias is divided by sqrt(D) as scores are. */
    SCALED_CONTEXTUAL,
    /** Stick-breaking, where the rest has no value. */
    BREAKING,
    /** Stick-breaking, where the rest takes the query's own value. */
    BREAKING_WITH_REMAINDER,
    /** The forget gate. */
    FORGETTING,
    /** DAPE. */
    ADAPTIVE;

    /** {@return the name of the method} */
    public String kernel() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Rule rule();

  /** {@return the scheme's own learnable tensors that its kernel reads, in the kernel's order} */
  default List<String> kernelTensors() {
    return List.of();
  }

  /** {@return the scheme around which this one is built} */
  default PositionalScheme inner() {
    return new NoPosition();
  }

  /** {@return this scheme around another one of the same form} */
  default RowScheme around(PositionalScheme other) {
    return this;
  }

  @Override
  default <R> R accept(AttentionForm<R> form) {
    return form.byRows(this);
  }

  @Override
  default List<PositionalScheme> parts() {
    return List.of(inner());
  }

  @Override
  default PositionalScheme withParts(UnaryOperator<PositionalScheme> change) {
    return around(change.apply(inner()));
  }

  /** It is defined for earlier keys only. */
  @Override
  default Reach reach() {
    return Reach.EARLIER;
  }
}
