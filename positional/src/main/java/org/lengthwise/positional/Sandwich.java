package org.lengthwise.positional;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.lengthwise.config.Checks;

/**
 * Sandwich: the inner product of two sinusoidal position embeddings as a fixed bias. Later heads
 * divide it by a larger number.
 *
 * <p>bias = (1 / ratio<sub>h</sub>) sum over i = 0..D'/2-1 of (cos(delta / 10000<sup>2i/D'</sup>) -
 * 1), with ratio<sub>h</sub> = 8h/H, h = 1..H. The inner product of the sines and cosines of m and
 * n equals the sum of these cosines, which decays about logarithmically. D', the paper's d-bar, is
 * a setting and need not be the model's width. The paper uses 128.
 *
 * <p>The paper does not subtract 1 from each cosine. The subtraction shifts all keys of a query
 * equally, so the softmax does not change. It makes the bias 0 at distance 0. Otherwise the bias
 * there would be D'/2 / ratio<sub>h</sub>, and bfloat16 could not distinguish neighbouring
 * distances.
 *
 * <p>Two points could not be compared with the paper's listing: that the sum is added after the
 * division by sqrt(D), and that the first ratio is 8/H.
 *
 * <p>Source: Chi, Fan, Rudnicky and Ramadge, "Dissecting Transformer Length Extrapolation via the
 * Lens of Receptive Field Analysis", ACL 2023, section 5 and the listing in its appendix.
 *
 * @param dimension D', the even dimension of the sinusoidal embeddings
 */
@JsonTypeName("sandwich")
public record Sandwich(int dimension) implements DistanceBias {
  public Sandwich {
    Checks.require(
        dimension >= 2 && dimension % 2 == 0,
        "dimension",
        "an even number of at least 2",
        dimension);
  }

  /** {@return the divisor of a head's bias, 8 (h + 1) / H, h from 0} */
  public static double compression(int head, int heads) {
    return 8.0 * (head + 1) / heads;
  }

  @Override
  public double bias(PositionalValues values, int head, long distance) {
    double[] frequencies = Sinusoidal.frequencies(dimension);
    double sum = 0;
    for (int i = 0; i < frequencies.length; i++) {
      sum += Math.cos(distance * frequencies[i]) - 1;
    }
    return sum / compression(head, values.heads());
  }

  @Override
  public NDArray table(TableInputs inputs) {
    NDManager owner = inputs.manager();
    return inputs
        .byHead(owner, h -> 1 / compression(h, inputs.heads()))
        .mul(TableInputs.tensor(owner, sums(inputs.length()), 1, inputs.length()));
  }

  /** The sums of cosines at the distances 0..T-1. */
  private float[] sums(int length) {
    PositionAngles angles = new PositionAngles(Sinusoidal.frequencies(dimension), 1);
    int pairs = dimension / 2;
    float[] sums = new float[length];
    for (int distance = 0; distance < sums.length; distance++) {
      double sum = -pairs;
      for (int i = 0; i < pairs; i++) {
        sum += angles.cos(i);
      }
      sums[distance] = (float) sum;
      angles.advance();
    }
    return sums;
  }
}
