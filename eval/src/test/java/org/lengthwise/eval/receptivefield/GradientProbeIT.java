package org.lengthwise.eval.receptivefield;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import org.junit.jupiter.api.Test;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.eval.SmallModel;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;

class GradientProbeIT {
  private static final TokenStream TOKENS = SmallModel.tokens(100);

  @Test
  void curveRunsFromOneAtTheEarliestPositionDownToTheLastPositionsShare() {
    assertThat(GradientProbe.cumulative(new float[] {1, 0, 3, 4}))
        .containsExactly(1, 7 / 8.0, 7 / 8.0, 0.5);
  }

  @Test
  void sharesMatchFiniteDifferencesOfTheLoss() {
    int length = 7;
    int width = 12;
    try (SmallModel model = new SmallModel(new RegularGpt(3, 2))) {
      double[] curve =
          new GradientProbe(model.decoder(), model.manager()).cumulative(TOKENS, 50, length);
      int[] chunk = new int[length + 1];
      TOKENS.read(50 - length, chunk, 0, chunk.length);
      float[] embeddings = embeddings(model, chunk, length);
      float[] norms = new float[length];
      for (int n = 0; n < length; n++) {
        double squares = 0;
        for (int i = 0; i < width; i++) {
          double above = loss(model, shifted(embeddings, n * width + i, 1e-2f), chunk, length);
          double below = loss(model, shifted(embeddings, n * width + i, -1e-2f), chunk, length);
          squares += Math.pow((above - below) / 2e-2, 2);
        }
        norms[n] = (float) Math.sqrt(squares);
      }
      assertThat(curve).containsExactly(GradientProbe.cumulative(norms), within(0.01));
    }
  }

  @Test
  void steepPenaltiesMoveTheWeightToTheLastPositions() {
    double under = shareOfTheLastEight(new Alibi());
    double without = shareOfTheLastEight(new NoPosition());
    assertThat(under).isGreaterThan(without + 0.1);
  }

  private static double shareOfTheLastEight(PositionalScheme scheme) {
    try (SmallModel model = new SmallModel(scheme)) {
      GradientProbe probe = new GradientProbe(model.decoder(), model.manager());
      double sum = 0;
      for (int target = 70; target < 90; target++) {
        sum += probe.cumulative(TOKENS, target, 64)[56];
      }
      return sum / 20;
    }
  }

  private static float[] embeddings(SmallModel model, int[] chunk, int length) {
    long[] tokens = new long[length];
    for (int t = 0; t < length; t++) {
      tokens[t] = chunk[t];
    }
    NDArray tokens_BT = model.manager().create(tokens, new Shape(1, length));
    return model.decoder().embed(tokens_BT, false).toFloatArray();
  }

  private static float[] shifted(float[] values, int index, float shift) {
    float[] copy = values.clone();
    copy[index] += shift;
    return copy;
  }

  private static double loss(SmallModel model, float[] embeddings, int[] chunk, int length) {
    NDArray embedded_BTd = model.manager().create(embeddings, new Shape(1, length, 12));
    NDArray last_Bd = model.decoder().hidden(embedded_BTd, false).get(new NDIndex(":, -1"));
    NDArray target_B = model.manager().create(new long[] {chunk[length]});
    return model.decoder().nll(last_Bd, target_B, false).getFloat();
  }
}
