package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.PositionalParameter.Initial;
import org.lengthwise.positional.PositionalParameter.Scope;

/**
 * DAPE: a small network in each block changes the bias of an inner scheme by the scores of all
 * heads.
 *
 * <p>bias' = bias + W<sub>2</sub> leaky(W<sub>1</sub> y + b<sub>1</sub>) + b<sub>2</sub> for each
 * pair of positions, where y has the H scores q k / sqrt(D) and then the H biases of the inner
 * scheme, and leaky(x) is x, or 0.01 x if x is negative.
 *
 * <p>First values: W<sub>1</sub> N(0, 0.02), all others 0, so training starts at the inner scheme.
 *
 * <p>Source: Zheng et al., "DAPE: Data-Adaptive Positional Encoding for Length Extrapolation",
 * NeurIPS 2024. Its code has PyTorch's first values and KERPLE's parameters in each layer.
 *
 * @param width the hidden units of the network
 * @param of the inner scheme, a bias by distance
 */
@JsonTypeName("dape")
public record Dape(@Unit("units") @AbsentMeans("32") int width, PositionalScheme of)
    implements RowScheme {
  private static final double LEAK = 0.01;

  public Dape {
    Checks.atLeast("width", width, 1);
    Checks.require(
        of instanceof DistanceBias
            || (of instanceof Formula && of.attendsByDistance() && of.reach().seesAllKeys()),
        "of",
        "a bias by distance without a window, such as kerple-log, because the network reads a bias",
        of.label());
  }

  /** Every inner scheme but {@code kerple-log} is another scheme in results. */
  @Override
  public String label() {
    return of instanceof KerpleLog ? "dape" : "dape-" + of.label();
  }

  @Override
  public Rule rule() {
    return Rule.ADAPTIVE;
  }

  @Override
  public String summary() {
    return "bias = %s + W_2 leaky(W_1 y + b_1) + b_2, y = scores and biases of all heads; Zheng et al. 2024"
        .formatted(of.label());
  }

  @Override
  public List<String> kernelTensors() {
    return List.of("dape.c_fc.weight", "dape.c_fc.bias", "dape.c_proj.weight", "dape.c_proj.bias");
  }

  @Override
  public PositionalScheme inner() {
    return of;
  }

  @Override
  public RowScheme around(PositionalScheme other) {
    return other.equals(of) ? this : new Dape(width, other);
  }

  /** The input and the hidden units of the network, and the weights. */
  @Override
  public Cost cost(int heads) {
    return new Cost(0, width + 3L * heads + 1);
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int modelWidth) {
    List<PositionalParameter> parameters = new ArrayList<>(of.parameters(heads, modelWidth));
    Initial zero = new Initial.Constant(0);
    parameters.add(tensor(0, List.of(width, 2 * heads), new Initial.Normal(0.02)));
    parameters.add(tensor(1, List.of(width), zero));
    parameters.add(tensor(2, List.of(heads, width), zero));
    parameters.add(tensor(3, List.of(heads), zero));
    return List.copyOf(parameters);
  }

  private PositionalParameter tensor(int index, List<Integer> shape, Initial initial) {
    return new PositionalParameter(
        kernelTensors().get(index), shape, Scope.BLOCK, initial, Bounds.NONE);
  }

  @Override
  public double[] scores(ReferenceAttention.Rows rows, int head, int level, int query) {
    double[] scores_N = RowScheme.super.scores(rows, head, level, query);
    PositionalValues values = rows.values();
    int heads = values.heads();
    for (int n = 0; n < scores_N.length; n++) {
      double[] y = new double[2 * heads];
      for (int h = 0; h < heads; h++) {
        y[h] = score(values, h, rows.query(h, query), rows.key(h, n), query - n);
        y[heads + h] = bias(values, h, level, query, query - n);
      }
      scores_N[n] += output(values, head, y);
    }
    return scores_N;
  }

  private double output(PositionalValues values, int head, double[] y) {
    double[] fcWeight = values.all("dape.c_fc.weight");
    double[] fcBias = values.all("dape.c_fc.bias");
    double[] projWeight = values.all("dape.c_proj.weight");
    double sum = values.at("dape.c_proj.bias", head);
    for (int i = 0; i < width; i++) {
      double unit = fcBias[i];
      for (int j = 0; j < y.length; j++) {
        unit += fcWeight[i * y.length + j] * y[j];
      }
      sum += projWeight[head * width + i] * Math.max(unit, LEAK * unit);
    }
    return sum;
  }
}
