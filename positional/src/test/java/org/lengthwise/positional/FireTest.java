package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.PositionalParameter.Initial;

class FireTest {
  private static final Fire FIRE = new Fire(100);

  /** A network with one active unit, whose output is 3 times its input plus 0.5. */
  private static PositionalValues values(double c, double multiplier) {
    double[] first = new double[Fire.HIDDEN];
    first[4] = 1;
    double[] second = new double[Fire.HIDDEN];
    second[4] = 3;
    Map<String, double[]> values = new HashMap<>();
    values.put("fire.c", new double[] {c});
    values.put("fire.l", new double[] {multiplier});
    values.put("fire.c_fc.weight", first);
    values.put("fire.c_fc.bias", new double[Fire.HIDDEN]);
    values.put("fire.c_proj.weight", second);
    values.put("fire.c_proj.bias", new double[] {0.5});
    return new PositionalValues(1, 1, values);
  }

  @Test
  void inputIsTheLogarithmOfTheDistanceRelativeToThatOfTheQuerysPosition() {
    assertThat(FIRE.bias(values(0.1, 1), 0, 0, 400, 30))
        .isEqualTo(3 * Math.log(4) / Math.log(41) + 0.5, within(1e-12));
  }

  @Test
  void belowTheThresholdOnlyTheDistanceMatters() {
    PositionalValues values = values(0.1, 2);
    double expected = 3 * Math.log(4) / Math.log(21) + 0.5;
    assertThat(FIRE.bias(values, 0, 0, 30, 30)).isEqualTo(expected, within(1e-12));
    assertThat(FIRE.bias(values, 0, 0, 200, 30)).isEqualTo(expected, within(1e-12));
    assertThat(FIRE.bias(values, 0, 0, 201, 30)).isLessThan(expected);
  }

  @Test
  void everyQueryBeyondTheThresholdHasTheSameBiasForTheFirstToken() {
    PositionalValues values = values(0.1, 1);
    for (long query : new long[] {100, 8192, 1L << 40}) {
      assertThat(FIRE.bias(values, 0, 0, query, query)).isEqualTo(3.5, within(1e-12));
    }
  }

  @Test
  void firstValuesAreThoseOfThePaper() {
    assertThat(FIRE.parameters(12, 768).stream().mapToInt(PositionalParameter::size).sum())
        .isEqualTo(2 + 64 + 12 * 33);
    Map<String, Initial> initial =
        FIRE.parameters(12, 768).stream()
            .collect(Collectors.toMap(PositionalParameter::name, PositionalParameter::initial));
    double end = 1 / Math.sqrt(32);
    assertThat(initial)
        .isEqualTo(
            Map.of(
                "fire.c", new Initial.Constant(0.1),
                "fire.l", new Initial.Constant(1),
                "fire.c_fc.weight", new Initial.Uniform(-1, 1),
                "fire.c_fc.bias", new Initial.Uniform(-1, 1),
                "fire.c_proj.weight", new Initial.Uniform(-end, end),
                "fire.c_proj.bias", new Initial.Uniform(-end, end)));
  }

  @Test
  void thresholdMustBePositive() {
    for (double wrong : Arrays.asList(0.0, -1.0, Double.NaN)) {
      assertThatThrownBy(() -> new Fire(wrong)).hasMessageContaining("threshold");
    }
  }
}
