package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.OptionalDouble;
import org.lengthwise.config.Checks;
import org.lengthwise.positional.PositionalParameter.Initial;

/**
 * Transformer-XL's relative positions: a part of each score depends on the query and the distance.
 *
 * <p>score = ((q + u) k + (q + v) R<sub>m-n</sub>) / sqrt(D), where R<sub>x</sub> = W<sub>R</sub>
 * s(x) is split over the heads as keys are. s(x) has the sines of x 10000<sup>-2i/d</sup>, i =
 * 0..d/2-1, and then the cosines. Each block has its own u and v, for each head, and its own
 * W<sub>R</sub>. Distances may be negative, so queries may also see later keys.
 *
 * <p>First values: u and v N(0, 0.02), W<sub>R</sub> of deviation 1 / sqrt(d), drawn again beyond
 * two deviations.
 *
 * <p>Source: Dai et al., "Transformer-XL: Attentive Language Models beyond a Fixed-Length Context",
 * ACL 2019, section 3.3. The recurrence of that paper is not part of the scheme.
 */
@JsonTypeName("transformer-xl")
public record TransformerXl() implements PositionalScheme {
  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.byContent(this);
  }

  @Override
  public Reach reach() {
    return Reach.BOTH_SIDES;
  }

  @Override
  public void requireShape(int heads, int headWidth, int width) {
    Checks.require(
        heads * headWidth % 2 == 0,
        "model.width",
        "an even width, because one half are sines and the other cosines",
        heads * headWidth);
  }

  @Override
  public OptionalDouble neutral(String parameter) {
    return parameter.equals("u") || parameter.equals("c_r.weight")
        ? OptionalDouble.of(0)
        : OptionalDouble.empty();
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    Initial first = new Initial.Normal(0.02);
    return List.of(
        PositionalParameter.ofBlock("u", List.of(heads, width / heads), first),
        PositionalParameter.ofBlock("v", List.of(heads, width / heads), first),
        PositionalParameter.ofBlock(
            "c_r.weight",
            List.of(width, width),
            new Initial.TruncatedNormal(1 / Math.sqrt(width))));
  }

  @Override
  public double score(
      PositionalValues values, int head, double[] q_D, double[] k_D, long distance) {
    int headWidth = q_D.length;
    double[] sines_d = sines(values.heads() * headWidth, distance);
    double[] weight = values.all("c_r.weight");
    double[] u = values.all("u");
    double[] v = values.all("v");
    double score = 0;
    for (int i = 0; i < headWidth; i++) {
      int row = head * headWidth + i;
      double relative = 0;
      for (int j = 0; j < sines_d.length; j++) {
        relative += weight[row * sines_d.length + j] * sines_d[j];
      }
      score += (q_D[i] + u[row]) * k_D[i] + (q_D[i] + v[row]) * relative;
    }
    return score / Math.sqrt(headWidth);
  }

  private static double[] sines(int width, long distance) {
    double[] frequencies = Sinusoidal.frequencies(width);
    double[] sines_d = new double[width];
    for (int i = 0; i < frequencies.length; i++) {
      sines_d[i] = Math.sin(distance * frequencies[i]);
      sines_d[frequencies.length + i] = Math.cos(distance * frequencies[i]);
    }
    return sines_d;
  }
}
