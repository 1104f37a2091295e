package org.lengthwise.measure.receptivefield;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.eval.SmallModel;
import org.lengthwise.model.DecoderForm;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ReferenceDecoder;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Formula;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Schemes;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;
import org.lengthwise.result.GradientNorms;
import org.lengthwise.task.Samples;

class GradientProbeIT {
  private static final TokenStream TOKENS = SmallModel.tokens(100);
  private static final int NUM_BLOCKS = 2;

  /** The form of RegularGPT in the code of its authors. */
  private static final DecoderForm PAPER =
      new DecoderForm(
          DecoderForm.Norm.POST,
          DecoderForm.Activation.RELU,
          false,
          DecoderForm.EmbeddingScale.SQRT_WIDTH,
          DecoderForm.Initial.FAN_IN,
          true);

  static List<PositionalScheme> schemes() {
    return Schemes.all();
  }

  private static float[][] norms(SmallModel model, long[] targets, int length) {
    return new GradientProbe(model.decoder(), model.manager())
        .norms(
            SampleSource.TestSplit.windows(
                TOKENS, targets, 0, targets.length, length, Optional.empty()));
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void normsEqualFiniteDifferencesOfTheReference(PositionalScheme scheme) {
    int length = 11;
    long target = 50;
    try (SmallModel model = new SmallModel(scheme)) {
      int[] window = new int[length + 1];
      TOKENS.read(target - length, window, 0, window.length);
      requireEqual(
          norms(model, new long[] {target}, length)[0],
          differences(model.reference(), Arrays.copyOf(window, length), window[length]),
          1e-4);
    }
  }

  private static void requireEqual(float[] found, double[] expected, double tolerance) {
    double largest = Arrays.stream(expected).max().orElseThrow();
    for (int n = 0; n < expected.length; n++) {
      assertThat((double) found[n])
          .as("position %d", n)
          .isEqualTo(expected[n], within(tolerance * largest));
    }
  }

  /** The gradient of the loss of the label: a tree with pads, in the form of the paper. */
  @ParameterizedTest
  @CsvSource({"1, 2, 11", "2, 3, 11", "1, 2, 16"})
  void normsOfAClassifierEqualFiniteDifferencesOfTheReference(int layers, int chunk, int length) {
    RegularGpt scheme = new RegularGpt(chunk, RegularGpt.Edge.PAD);
    ModelConfig config = new ModelConfig(layers, 12, 3, 2, scheme, PAPER, 3);
    int[] ids = IntStream.range(0, length).map(t -> t * t % 5 % 2).toArray();
    long[] tokens = IntStream.of(ids).asLongStream().toArray();
    try (SmallModel model = new SmallModel(config, Device.cpu())) {
      float[][] found =
          new GradientProbe(model.decoder(), model.manager())
              .norms(new Samples(1, tokens, new long[] {2}));
      // Ten times the usual weights make large gradients, which float32 rounds more.
      requireEqual(found[0], differences(model.reference(), ids, 2), 1e-3);
    }
  }

  /** The norm of the gradient of the loss at each position, by central differences in doubles. */
  private static double[] differences(ReferenceDecoder reference, int[] ids, int target) {
    double step = 1e-5;
    double[][] embedded_Td = reference.embed(ids);
    double[] norms = new double[ids.length];
    for (int n = 0; n < ids.length; n++) {
      double squares = 0;
      for (int i = 0; i < embedded_Td[n].length; i++) {
        double value = embedded_Td[n][i];
        embedded_Td[n][i] = value + step;
        double above = reference.lastNll(embedded_Td, target);
        embedded_Td[n][i] = value - step;
        double below = reference.lastNll(embedded_Td, target);
        embedded_Td[n][i] = value;
        squares += Math.pow((above - below) / (2 * step), 2);
      }
      norms[n] = Math.sqrt(squares);
    }
    return norms;
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void gradientsAreNonZeroWithinTheTheoreticalFieldOnly(PositionalScheme scheme) {
    int length = 28;
    int field = (int) scheme.reach().receptiveField(NUM_BLOCKS, length);
    try (SmallModel model = new SmallModel(scheme)) {
      float[] norms = norms(model, new long[] {60}, length)[0];
      int[] reached = IntStream.range(0, length).filter(n -> norms[n] > 0).toArray();
      assertThat(reached).hasSize(field);
      if (!(scheme instanceof Formula)) { // the formula also shows the first two keys
        assertThat(reached[0]).isEqualTo(length - field);
      }
    }
  }

  @Test
  void aWindowOfFourReachesSevenTokensThroughTwoBlocks() {
    try (SmallModel model = new SmallModel(new SlidingWindow(4, Within.NONE))) {
      float[] norms = norms(model, new long[] {70}, 64)[0];
      assertThat(Arrays.copyOf(norms, 57)).containsOnly(0f);
      assertThat(norms[57]).isPositive();
    }
  }

  @Test
  void batchSizeDoesNotChangeGradients() {
    try (SmallModel model = new SmallModel(new RegularGpt(3))) {
      long[] targets = {40, 55, 99};
      float[][] together = norms(model, targets, 30);
      for (int b = 0; b < targets.length; b++) {
        float[] alone = norms(model, new long[] {targets[b]}, 30)[0];
        assertThat(together[b]).containsExactly(alone, within(1e-5f));
      }
      assertThat(together[0]).isNotEqualTo(together[1]);
    }
  }

  @Test
  void steepPenaltiesConcentrateGradientsOnTheLastPositions() {
    double under = shareOfTheLastEight(new Alibi());
    double without = shareOfTheLastEight(new NoPosition());
    assertThat(under).isGreaterThan(without + 0.1);
  }

  private static double shareOfTheLastEight(PositionalScheme scheme) {
    try (SmallModel model = new SmallModel(scheme)) {
      long[] targets = LongStream.range(70, 90).toArray();
      GradientNorms norms = GradientNorms.of(targets, norms(model, targets, 64));
      return LongStream.range(0, norms.count())
          .mapToDouble(chunk -> norms.cumulative((int) chunk)[7])
          .average()
          .orElseThrow();
    }
  }
}
