package org.lengthwise.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.eval.SmallModel;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Schemes;
import org.lengthwise.training.device.Devices;

/** Compares the scores of a model on a GPU with its scores on a CPU. */
class ScoresOnAGpuIT {
  private static final String DEVICE = System.getProperty("lengthwise.test.device", "cpu");
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static final int VOCABULARY = 11;

  static List<PositionalScheme> schemes() {
    return Schemes.all();
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void scoresOnAGpuEqualThoseOnACpu(PositionalScheme scheme) {
    assumeTrue(!DEVICE.equals("cpu"), "no GPU: name one by -Dlengthwise.test.device=gpu:0");
    int[] tokens = new Random(SEED).ints(60, 0, VOCABULARY).toArray();
    try (SmallModel model = new SmallModel(scheme);
        SmallModel onGpu = new SmallModel(scheme, Devices.of(DEVICE))) {
      assertThat(new Scorer(onGpu.decoder(), onGpu.manager()).score(tokens))
          .as("seed %d", SEED)
          .containsExactly(
              new Scorer(model.decoder(), model.manager()).score(tokens), within(1e-4f));
    }
  }
}
