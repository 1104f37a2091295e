package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lengthwise.model.RecurrentModels.NONE;
import static org.lengthwise.model.RecurrentModels.WINDOW;
import static org.lengthwise.model.RecurrentModels.config;
import static org.lengthwise.model.RecurrentModels.floats;
import static org.lengthwise.model.RecurrentModels.tokens;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.model.RecurrentModels.Opened;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.TestDevice;

/** Recurrent models against numbers of a NumPy program. */
class RecurrenceVectorsIT {
  /** NLLs in float64 of eight tokens, by a NumPy program of the formulas, row by row. */
  static Stream<Arguments> vectors() {
    return Stream.of(
        vector(
            blocks(1, 2, NONE, new Staircase(2, 2)),
            272,
            "2.15559299347 1.34231091192 2.44925726970 1.09418393982 "
                + "1.89136421097 2.13499243148 1.34514922121 2.44640894654"),
        vector(
            blocks(1, 2, NONE, new Staircase(2, 1)),
            272,
            "2.20989094788 1.37285254000 2.45592226541 1.14048108467 "
                + "1.95377905747 2.19235432131 1.35774693548 2.44858395512"),
        vector(
            blocks(1, 2, NONE, new Staircase(8, 2)),
            272,
            "2.15559299347 1.34231091192 2.44712241187 1.10654324368 "
                + "1.89376173789 2.14820337824 1.34626779272 2.44799415777"),
        vector(
            blocks(2, 1, NONE, new Staircase(1, 3)),
            516,
            "2.73765268776 1.10759955207 2.86338703547 1.20800128975 "
                + "1.43864621714 2.73233892029 1.10766346555 2.86339414021"),
        vector(
            blocks(2, 2, new Alibi(), new Staircase(3, 2)),
            516,
            "2.72950545217 1.10845572596 2.85316281326 1.23370579713 "
                + "1.44421559566 2.72009417276 1.10952257484 2.85270888703"),
        vector(
            blocks(3, 2, WINDOW, new BlockRecurrence(2, 3, 1)),
            948,
            "2.83713909898 1.13642669686 2.70901846504 1.51384582240 "
                + "1.19338064677 2.88012066288 1.11467197605 2.71222746667"),
        vector(
            blocks(3, 1, NONE, new BlockRecurrence(4, 1, 1)),
            932,
            "2.90086045984 1.11270370050 2.71955988828 1.51392130529 "
                + "1.19162650881 2.88808492874 1.11325930489 2.72092594633"),
        vector(
            blocks(3, 2, WINDOW, new BlockRecurrence(8, 3, 1)),
            948,
            "2.83713909898 1.13642669686 2.63197563442 1.54442112751 "
                + "1.21468164126 2.79955996376 1.13650471184 2.63196918593"),
        vector(
            blocks(1, 2, new Alibi(), new BlockRecurrence(3, 2, 0)),
            452,
            "2.80683087504 1.11163168607 3.26298267639 0.92023165130 "
                + "1.78269150379 2.79951980260 1.11363250124 3.26578883673"));
  }

  private static ModelConfig blocks(
      int layers, int heads, PositionalScheme scheme, Recurrence recurrence) {
    return new ModelConfig(layers, 4, heads, 5, scheme).with(recurrence);
  }

  private static Arguments vector(ModelConfig config, int numParameters, String nlls) {
    double[] values = Arrays.stream(nlls.split(" ")).mapToDouble(Double::parseDouble).toArray();
    return Arguments.of(config, numParameters, values);
  }

  /** Tensor t, element j: 0.5 sin(1 + 0.7 j + 1.9 t), plus 1 for weights of a LayerNorm. */
  private static Map<String, double[]> sines(ModelConfig config) {
    Map<String, double[]> values = new LinkedHashMap<>();
    List<ParameterSpec> layout = ParameterLayout.of(config);
    for (int t = 0; t < layout.size(); t++) {
      ParameterSpec spec = layout.get(t);
      double shift = spec.name().matches(".*(ln_[12f]|state\\.ln)\\.weight") ? 1 : 0;
      double phase = 1 + 1.9 * t;
      values.put(
          spec.name(),
          IntStream.range(0, Math.toIntExact(spec.size()))
              .mapToDouble(j -> shift + 0.5 * Math.sin(phase + 0.7 * j))
              .toArray());
    }
    return values;
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void likelihoodsEqualIndependentNumbers(ModelConfig config, int numParameters, double[] nlls) {
    assertThat(config.numParameters()).isEqualTo(numParameters);
    Map<String, double[]> values = sines(config);
    int[] tokens = {0, 1, 2, 3, 4, 0, 1, 2, 3};
    assertThat(new ReferenceDecoder(config, values).nll(tokens))
        .containsExactly(nlls, within(1e-9));
    Map<String, float[]> numbers = new HashMap<>();
    values.forEach((name, doubles) -> numbers.put(name, floats(doubles)));
    try (Opened model = Opened.of(new RandomModel(config, numbers), Precision.FLOAT32)) {
      assertThat(model.nll(tokens))
          .containsExactly(floats(nlls), within(TestDevice.tolerance(1e-5)));
    }
  }
}
