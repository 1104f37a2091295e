package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Arrays;
import java.util.List;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.PositionalParameter.Scope;

/**
 * The forget gate of the Forgetting Transformer (FoX): a penalty by distance whose slope follows
 * the text. A gate f of each position and head, between 0 and 1, multiplies what later queries see
 * of the keys before it.
 *
 * <p>bias = ln f<sub>n+1</sub> + ... + ln f<sub>m</sub>, with f<sub>t</sub> = sigmoid(w<sub>h</sub>
 * x<sub>t</sub> + b<sub>h</sub>). x<sub>t</sub> is the row from which queries, keys and values of
 * position t come. There is no output gate and no norm of queries and keys, which the paper's Pro
 * block has.
 *
 * <p>First values: w N(0, 0.02) and b 0, so every gate begins near 1/2. With {@link First#SLOPES},
 * w is 0 and b gives the slopes of {@link Alibi}.
 *
 * <p>Source: Lin, Nikishin, He and Courville, "Forgetting Transformer: Softmax Attention with a
 * Forget Gate", ICLR 2025.
 *
 * @param initial the first values of w and b
 * @param of the scheme around which the gates are: none, or a rotation
 */
@JsonTypeName("forget")
public record ForgetGate(
    @AbsentMeans("\"zero\"") First initial,
    @AbsentMeans("{\"scheme\":\"none\"}") PositionalScheme of)
    implements RowScheme {

  public enum First {
    /** Every gate begins near 1/2. */
    ZERO,
    /** The gates begin at ALiBi's slopes. */
    SLOPES
  }

  public ForgetGate {
    Checks.require(
        of instanceof NoPosition || (of instanceof Rotary rotary && rotary.layerWindow().isEmpty()),
        "of",
        "none, or rope without a window, because a gate replaces every other bias",
        of.label());
  }

  /** Gates with rotations are another scheme in results. */
  @Override
  public String label() {
    return of instanceof NoPosition ? "forget" : "forget-" + of.label();
  }

  @Override
  public Rule rule() {
    return Rule.FORGETTING;
  }

  @Override
  public String summary() {
    return "bias = ln f_(n+1) + ... + ln f_m, f = sigmoid(w x + b); Lin et al. 2025";
  }

  @Override
  public PositionalScheme inner() {
    return of;
  }

  @Override
  public RowScheme around(PositionalScheme other) {
    return other.equals(of) ? this : new ForgetGate(initial, other);
  }

  @Override
  public Cost cost(int heads) {
    return new Cost(heads, 0);
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    double[] slopes = Alibi.slopes(heads);
    boolean isZero = initial == First.ZERO;
    return List.of(
        new PositionalParameter(
            "c_f.weight",
            List.of(heads, width),
            Scope.BLOCK,
            isZero
                ? new PositionalParameter.Initial.Normal(0.02)
                : new PositionalParameter.Initial.Constant(0),
            Bounds.NONE),
        new PositionalParameter(
            "c_f.bias",
            List.of(heads),
            Scope.BLOCK,
            isZero
                ? new PositionalParameter.Initial.Constant(0)
                : new PositionalParameter.Initial.Numbers(
                    Arrays.stream(slopes)
                        .map(slope -> -Math.log(Math.expm1(slope)))
                        .boxed()
                        .toList()),
            Bounds.NONE));
  }

  @Override
  public double[] scores(ReferenceAttention.Rows rows, int head, int level, int query) {
    double[] scores_N = RowScheme.super.scores(rows, head, level, query);
    double bias = 0;
    for (int n = scores_N.length - 1; n >= 0; n--) {
      scores_N[n] += bias;
      bias -= StickBreaking.softplus(-rows.carried_TE()[n][head]);
    }
    return scores_N;
  }
}
