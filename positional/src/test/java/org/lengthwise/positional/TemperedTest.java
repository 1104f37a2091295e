package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.positional.PositionalParameter.Initial;
import org.lengthwise.positional.SlidingWindow.Within;
import org.lengthwise.positional.Temperature.Name;
import org.lengthwise.positional.Temperature.On;

/** Temperatures in plain doubles, in configurations and at test time. */
class TemperedTest {
  private static final Temperature SSMAX = new Temperature(Name.SSMAX);

  @ParameterizedTest
  @CsvSource({"64, 0.311939", "128, 0.257854", "512, 0.190614", "1024, 0.168471"})
  void ssmaxStartsAtTheInverseOfTheMeanLogarithm(int length, double expected) {
    PositionalScheme trained = new Tempered(new Rope(100), SSMAX).trainedAt(length, 2, 8, 1);
    List<PositionalParameter> parameters = trained.parameters(2, 8);
    assertThat(parameters).hasSize(1);
    assertThat(parameters.get(0).name()).isEqualTo("s");
    assertThat(parameters.get(0).shape()).containsExactly(2);
    assertThat(((Initial.Constant) parameters.get(0).initial()).value())
        .isCloseTo(expected, within(5e-7));
  }

  @Test
  void factorsFollowTheNumberOfKeys() {
    assertThat(new Temperature(Name.LOG, On.PRODUCTS, 3, 8).factor(5)).isEqualTo(Math.log(8));
    Temperature relative = new Temperature(Name.LOG_LENGTH, On.PRODUCTS, 2, 8);
    assertThat(relative.factor(8)).isEqualTo(1);
    assertThat(relative.factor(98)).isCloseTo(2, within(1e-12));
    Temperature floor = new Temperature(Name.FLOOR).trainedAt(8);
    assertThat(floor.factor(7)).isEqualTo(1);
    assertThat(floor.factor(24)).isEqualTo(1 + 0.1 * Math.log(4));
  }

  /** A window of 3 keys has the same factor at every later query. */
  @Test
  void aWindowLimitsTheNumberOfKeys() {
    PositionalScheme window =
        new Tempered(new SlidingWindow(3, Within.NONE), new Temperature(Name.LOG));
    PositionalValues values = new PositionalValues(1, 2, 0, 6, Map.of());
    double[][][] ones = {{{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}};
    ReferenceAttention.Rows rows =
        new ReferenceAttention.Rows(values, ones, ones, new double[6][0], true, Optional.empty());
    for (int query = 0; query < 6; query++) {
      double[] scores = window.scores(rows, 0, 0, query);
      int numKeys = Math.min(3, query + 1);
      assertThat(window.reach().firstKey(0, query)).isEqualTo(query + 1 - numKeys);
      for (int n = 0; n <= query; n++) {
        assertThat(scores[n])
            .isEqualTo(
                query - n < 3 ? Math.log(numKeys) * 2 / Math.sqrt(2) : Double.NEGATIVE_INFINITY,
                within(1e-12));
      }
    }
  }

  private static PositionalScheme read(String json) {
    try {
      return ConfigLoader.strictMapper().readValue(json, PositionalScheme.class);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void theKeyStandsBesideTheKeysOfTheScheme() throws Exception {
    PositionalScheme scheme =
        read("{\"scheme\": \"rope\", \"base\": 100, \"temperature\": {\"name\": \"log-length\"}}");
    assertThat(scheme).isEqualTo(new Tempered(new Rope(100), new Temperature(Name.LOG_LENGTH)));
    PositionalScheme trained = scheme.trainedAt(32, 2, 8, 1);
    String written = ConfigLoader.strictMapper().writeValueAsString(trained);
    assertThat(read(written)).isEqualTo(trained);
    assertThat(written).startsWith("{\"scheme\":\"rope\"").contains("\"train_length\":32");
    assertThat(trained.label()).isEqualTo("rope-log-length");
    assertThat(trained.described()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"regulargpt\", \"chunk\": 3 | same number of keys",
        "\"cope\", \"positions\": 3 | count other keys",
        "\"stick-breaking\" | no softmax",
        "\"linear\", \"member\": \"gla\" | gla has no softmax",
        "\"layers\", \"repeat\": [{\"scheme\": \"none\"}, {\"scheme\": \"linear\","
            + " \"member\": \"lru\"}] | lru has no softmax",
        "\"formula\", \"bias\": \"0\", \"visible\": \"delta < 3 or n < 1\" | no window"
      })
  void aSchemeWithoutASoftmaxOverKnownKeysIsRejectedWithTheReason(String scheme, String reason) {
    assertThatThrownBy(
            () -> read("{\"scheme\": " + scheme + ", \"temperature\": {\"name\": \"log\"}}"))
        .hasMessageContaining("temperature")
        .hasMessageContaining(reason);
  }

  @Test
  void whatMakesNoSenseIsRejected() {
    Temperature scores = new Temperature(Name.LOG, On.SCORES, 0, 0);
    assertThatThrownBy(() -> new Tempered(new Fire(8), scores)).hasMessageContaining("products");
    assertThatThrownBy(() -> new Tempered(new Tempered(new Alibi(), SSMAX), SSMAX))
        .hasMessageContaining("of its own");
    assertThatThrownBy(() -> new Temperature(Name.FLOOR, On.PRODUCTS, 1, 0))
        .hasMessageContaining("offset");
    Formula formula =
        Formulas.of("-s * delta", Map.of("s", Formulas.number(FormulaParameter.Per.HEAD)));
    assertThatThrownBy(() -> new Tempered(formula, SSMAX)).hasMessageContaining("parameter s");
    assertThatThrownBy(() -> read("{\"scheme\": \"alibi\", \"temprature\": 1}"))
        .hasMessageContaining("temperature");
  }

  @Test
  void atTestTimeATemperatureIsAName() {
    assertThat(TestTemperature.of("none")).isEqualTo(TestTemperature.NONE);
    TestTemperature swan = TestTemperature.of("log:100");
    assertThat(swan.label()).isEqualTo("log-100");
    PositionChange change = new PositionChange(PositionScaling.NONE, swan);
    PositionalScheme tempered = change.of(new Rope(100), 64);
    assertThat(tempered)
        .isEqualTo(new Tempered(new Rope(100), new Temperature(Name.LOG, On.PRODUCTS, 100, 64)));
    assertThat(PositionChange.NONE.of(new Rope(100), 64)).isEqualTo(new Rope(100));
    assertThat(change.suits(tempered, 64)).isFalse();
    assertThat(PositionChange.NONE.suits(tempered, 64)).isTrue();
    assertThat(change.suits(new RegularGpt(3), 64)).isFalse();
    for (String wrong : List.of("ssmax", "log:x", "none:1", "floor:2", "log:-1")) {
      assertThatThrownBy(() -> TestTemperature.of(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aTemperedSchemeIsScaledAsItsPart() {
    PositionScaling yarn = PositionScaling.of("yarn");
    Tempered tempered = new Tempered(new Rope(100), SSMAX);
    assertThat(tempered.scaled(yarn, 8).orElseThrow())
        .isEqualTo(new Tempered(new Rope(100).scaled(yarn, 8).orElseThrow(), SSMAX));
    assertThat(PositionChange.NONE.of(tempered, 8)).isSameAs(tempered);
    assertThat(new Tempered(new Alibi(), SSMAX).scaled(yarn, 8)).isEmpty();
  }
}
