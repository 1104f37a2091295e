package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Optional;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.PositionalParameter.Initial;
import org.lengthwise.positional.PositionalParameter.Scope;

/**
 * CoPE: positions that count what the query considers relevant. The gate of a key is g<sub>n</sub>
 * = sigmoid(q k<sub>n</sub> / sqrt(D)), and its position p is the sum of the gates from the key to
 * the query, both included, at most P - 1.
 *
 * <p>bias = q e<sub>p</sub>, where e [P, D] is shared by the heads of a block, and q e between two
 * whole positions is interpolated. e starts from 0, so training starts without positions. The
 * gradient passes through p with the difference of the two neighbouring values.
 *
 * <p>Source: Golovneva, Wang, Weston and Sukhbaatar, "Contextual Position Encoding: Learning to
 * Count What's Important", 2024.
 *
 * @param positions P, the number of rows of e
 * @param scale whether the bias is divided as the score is
 */
@JsonTypeName("cope")
public record Cope(@Unit("positions") int positions, @AbsentMeans("\"one\"") Scale scale)
    implements RowScheme {
  private static final String TABLE = "cope";

  public enum Scale {
    /** The bias is added as it is, as in the paper's listing. */
    ONE,
    /** The bias is divided by sqrt(D), as in later code of the authors. */
    SQRT_HEAD_WIDTH
  }

  public Cope {
    Checks.atLeast("positions", positions, 1);
  }

  @Override
  public Rule rule() {
    return scale == Scale.ONE ? Rule.CONTEXTUAL : Rule.SCALED_CONTEXTUAL;
  }

  @Override
  public String summary() {
    return "bias = q e_p%s, p = min(%s, sum of sigmoid(q k / sqrt(D)) from key to query); Golovneva et al. 2024"
        .formatted(scale == Scale.ONE ? "" : " / sqrt(D)", positions - 1);
  }

  @Override
  public List<String> kernelTensors() {
    return List.of(TABLE);
  }

  /**
   * For each head the gate, a position of 64 bits, two numbers of the interpolation, the weight.
   */
  @Override
  public Cost cost(int heads) {
    return new Cost(0, 6L * heads);
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    return List.of(
        new PositionalParameter(
            TABLE,
            List.of(positions, width / heads),
            Scope.BLOCK,
            new Initial.Constant(0),
            Bounds.NONE));
  }

  @Override
  public double[] scores(ReferenceAttention.Rows rows, int head, int level, int query) {
    double[] scores_N = RowScheme.super.scores(rows, head, level, query);
    double position = 0;
    for (int n = scores_N.length - 1; n >= 0; n--) {
      position += 1 / (1 + Math.exp(-scores_N[n]));
      scores_N[n] += bias(rows, head, query, Math.min(positions - 1, position));
    }
    return scores_N;
  }

  private double bias(ReferenceAttention.Rows rows, int head, int query, double position) {
    double[] q_D = rows.query(head, query);
    double weight = position - Math.floor(position);
    double bias = 0;
    for (int i = 0; i < q_D.length; i++) {
      double below = rows.values().at(TABLE, (int) Math.floor(position) * q_D.length + i);
      double above = rows.values().at(TABLE, (int) Math.ceil(position) * q_D.length + i);
      bias += q_D[i] * ((1 - weight) * below + weight * above);
    }
    return scale == Scale.ONE ? bias : bias / Math.sqrt(q_D.length);
  }

  @Override
  public Optional<String> noTemperature() {
    return Optional.of("the gates of cope would count other keys with other scores");
  }
}
