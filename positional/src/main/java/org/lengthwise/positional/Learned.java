package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.OptionalDouble;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.PositionalParameter.Initial;

/**
 * Learned absolute positions: a learned vector for each position is added to the token's embedding.
 * A model with this scheme cannot read sequences that are longer than the table. Rows beyond the
 * training length keep their random first values.
 *
 * <p>First values: N(0, 0.02), as in GPT-2.
 *
 * <p>Source: Radford et al., "Language Models are Unsupervised Multitask Learners", 2019; Gehring
 * et al., "Convolutional Sequence to Sequence Learning", ICML 2017.
 *
 * @param positions the number of rows of the table, which is the longest length in tokens
 */
@JsonTypeName("learned")
public record Learned(@Unit("positions") int positions) implements PositionalScheme {
  public Learned {
    Checks.atLeast("positions", positions, 1);
  }

  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.noBias(this);
  }

  @Override
  public Reach reach() {
    return Reach.BOTH_SIDES;
  }

  @Override
  public PositionTable positionTable() {
    return PositionTable.LEARNED;
  }

  @Override
  public OptionalDouble neutral(String parameter) {
    return parameter.equals("wpe.weight") ? OptionalDouble.of(0) : OptionalDouble.empty();
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    return List.of(
        new PositionalParameter(
            "wpe.weight",
            List.of(positions, width),
            PositionalParameter.Scope.EMBEDDING,
            new Initial.Normal(0.02),
            PositionalParameter.Bounds.NONE));
  }

  @Override
  public LengthUse lengths() {
    return new LengthUse(positions, length -> true, false);
  }
}
