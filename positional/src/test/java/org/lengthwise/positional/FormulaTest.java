package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lengthwise.positional.FormulaParameter.Per.HEAD;
import static org.lengthwise.positional.FormulaParameter.Per.SHARED;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.ConfigLoader;

class FormulaTest {
  private static final Map<String, PositionalScheme> BUILT_IN =
      Map.of(
          "alibi", new Alibi(),
          "kerple-log", new KerpleLog(),
          "kerple-power", new KerplePower(),
          "sandwich", new Sandwich(128));

  private static Formula file(String name) {
    return (Formula)
        ConfigLoader.load(Path.of("../conf/position/formula/" + name + ".yaml"), List.of())
            .bind("position", PositionalScheme.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24})
  void formulasOfBuiltInSchemesHaveTheirBiases(int heads) {
    Random random = new Random(7);
    BUILT_IN.forEach(
        (name, scheme) -> {
          Formula formula = file(name);
          PositionalValues values =
              new PositionalValues(
                  heads,
                  8,
                  Map.of(
                      "p", random.doubles(heads, -0.5, 3).toArray(),
                      "a", random.doubles(heads, -0.5, 3).toArray()));
          for (int head = 0; head < heads; head++) {
            for (long distance : new long[] {0, 1, 2, 15, 16, 127, 128, 5000}) {
              double expected = scheme.bias(values, head, 0, distance, distance);
              assertThat(formula.bias(values, head, 0, distance, distance))
                  .as("%s, head %d, distance %d", name, head, distance)
                  .isEqualTo(expected, within(1e-9 * Math.max(1, Math.abs(expected))));
            }
          }
        });
  }

  @Test
  void theFormulaOfT5HasItsBuckets() {
    double[] table = new Random(7).doubles(3 * 32).toArray();
    double[] transposed = new double[table.length];
    for (int head = 0; head < 3; head++) {
      for (int bucket = 0; bucket < 32; bucket++) {
        transposed[bucket * 3 + head] = table[head * 32 + bucket];
      }
    }
    PositionalValues ours = new PositionalValues(3, 8, Map.of("bias", table));
    PositionalValues theirs = new PositionalValues(3, 8, Map.of("bias", transposed));
    T5 scheme = new T5(T5.Scale.SQRT_HEAD_WIDTH);
    Formula formula = file("t5");
    for (int head = 0; head < 3; head++) {
      for (long distance = 0; distance < 1000; distance++) {
        assertThat(formula.bias(ours, head, 0, distance, distance))
            .as("distance %d", distance)
            .isEqualTo(scheme.bias(theirs, head, distance), within(1e-12));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "delta < 256 | 256",
        "delta <= 256 | 257",
        "256 > delta | 256",
        "2.5 >= delta | 3",
        "delta < 2 * T_tr and delta < 20 | 20",
        "delta < 2 * T_tr | 32",
        "delta < h | ",
        "delta < 5 or delta == 9 | ",
        "m - n < 4 | 4",
        "n < 5 | ",
        "1 | ",
      })
  void findsWindows(String visible, @Nullable Integer window) {
    Formula formula = Formulas.of("-delta", visible, Map.of());

    assertThat(formula.window().stream().boxed().toList())
        .isEqualTo(window == null ? List.of() : List.of(window));
    assertThat(formula.reach().seesAllKeys()).isEqualTo(window == null);
  }

  @Test
  void dependsOnWhatItNames() {
    assertThat(Formulas.of("m - n", Map.of()).dependsOnPositions()).isFalse();
    assertThat(Formulas.of("m - 2 * n", Map.of()).dependsOnPositions()).isTrue();
    assertThat(Formulas.of("delta / T", Map.of()).lengths().keepsResults().test(9)).isFalse();
    assertThat(Formulas.of("delta / T_tr", Map.of()).lengths().keepsResults().test(9)).isTrue();
    assertThat(Formulas.of("delta * layer", Map.of()).dependsOnLayer()).isTrue();
  }

  @Test
  void rejectsNamesThatAreUnknownOrUnused() {
    assertThatThrownBy(() -> Formulas.of("-slpe * delta", Map.of("slope", Formulas.number(HEAD))))
        .hasMessage(
            "bias: expected one of the names delta, m, n, T, T_tr, h, H, D, layer, slope at column"
                + " 2, found `slpe` (did you mean `slope`?)");
    assertThatThrownBy(() -> Formulas.of("delta", Map.of("p", Formulas.number(HEAD))))
        .hasMessage(
            "parameters.p: expected a parameter that `bias` uses, found `p`, which it does not"
                + " use");
    assertThatThrownBy(() -> Formulas.of("p", Map.of("p", Formulas.table(3, HEAD))))
        .hasMessage("bias: expected at(p, index) at column 1, found `p`, which has a size");
    assertThatThrownBy(() -> Formulas.of("at(p, 0)", Map.of("p", Formulas.number(HEAD))))
        .hasMessageContaining("a parameter with a size at column 4");
    assertThatThrownBy(() -> Formulas.of("p", "p > 0", Map.of("p", Formulas.number(HEAD))))
        .hasMessageContaining("visible: expected a condition without parameters");
    assertThatThrownBy(() -> Formulas.of("h", Map.of("h", Formulas.number(HEAD))))
        .hasMessageContaining("that no variable or function has, found `h`");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "log(delta) | position.bias: expected a finite float32, found -Infinity at distance 0",
        "1 / (delta - 40) | position.bias: expected a finite float32, found Infinity at distance"
            + " 40",
        "1 / (n - 7) | position.bias: expected a finite float32, found Infinity at distance 0 of"
            + " query 7",
        "tanh(p * log(delta)) | position.bias: expected a finite float32 in each part with"
            + " parameters, for its gradient, found a part of -Infinity at distance 0",
        "1 / (1 + p * exp(2 * delta)) | position.bias: expected a finite float32 in each part with"
            + " parameters, for its gradient, found a part of 6.102016471589204E38 at distance 45",
        "-exp(2 * delta) | position.bias: expected a finite float32, found -1.2204032943178408E39"
            + " at distance 45",
        "p * log(63 - delta) | position.bias: expected a finite float32, found -Infinity at"
            + " distance 63",
        "p * at(t, delta) | position.bias: expected an index of `t` from 0 to 9, found 10.0 at"
            + " distance 10",
        "log(2 - h + delta) | position.bias: expected a finite float32, found -Infinity at distance"
            + " 0 in head 2",
      })
  void rejectsABiasThatIsNotFiniteBeforeTraining(String bias, String message) {
    Map<String, FormulaParameter> parameters =
        Map.of("p", Formulas.atLeast(0.5, SHARED), "t", Formulas.table(10, SHARED));
    Formula formula =
        Formulas.of(
            bias,
            bias.contains("p *")
                ? bias.contains("at(") ? parameters : Map.of("p", Formulas.atLeast(0.5, SHARED))
                : Map.of());

    assertThatThrownBy(() -> formula.trainedAt(64, 2, 16, 2)).hasMessage(message);
  }

  @Test
  void rejectsAConditionThatHidesTheOwnPosition() {
    assertThatThrownBy(() -> Formulas.of("delta", "delta > 0", Map.of()).trainedAt(64, 2, 16, 2))
        .hasMessage(
            "position.visible: expected a condition that is true at a query's own position, found"
                + " 0 at distance 0");
  }

  /** Only keys that are seen need a finite bias. */
  @Test
  void acceptsABiasThatIsNotFiniteWhereItIsHidden() {
    Formula formula = Formulas.of("log(9 - delta)", "delta < 9", Map.of());

    assertThat(formula.trainedAt(64, 2, 16, 2).trainLength()).isEqualTo(64);
  }

  @Test
  void everyFileIsFiniteAtAllLengthsOfItsTraining() throws Exception {
    try (var files = Files.list(Path.of("../conf/position/formula"))) {
      files.forEach(
          path -> {
            String name = path.getFileName().toString().replace(".yaml", "");
            assertThat(file(name).trainedAt(64, 4, 32, 2).trainLength()).isEqualTo(64);
          });
    }
  }

  @Test
  void anErrorInAFileNamesItsLineAndColumn(@TempDir Path folder) throws Exception {
    Path path = folder.resolve("mine.yaml");
    Files.writeString(
        path,
        """
        name: mine
        position:
          scheme: formula
          bias: "-p * log1p(a * delta"
        """);

    assertThatThrownBy(
            () -> ConfigLoader.load(path, List.of()).bind("position", PositionalScheme.class))
        .hasMessage(
            path
                + ":4: expected an operator, a comma, `)` or the end at column 21 for"
                + " `position.bias`, found the end of the formula; correct the value");
  }

  @Test
  void isStoredInACheckpointAndReadAgain() throws Exception {
    try (var files = Files.list(Path.of("../conf/position/formula"))) {
      for (Path path : files.toList()) {
        Formula formula = file(path.getFileName().toString().replace(".yaml", ""));
        ObjectMapper mapper = ConfigLoader.strictMapper();
        String stored = mapper.writeValueAsString(formula.trainedAt(32, 2, 8, 2));
        assertThat(mapper.readValue(stored, PositionalScheme.class))
            .isEqualTo(formula.trainedAt(32, 2, 8, 2));
      }
    }
  }

  @Test
  void parametersHaveTheTensorsThatTheyDescribe() {
    assertThat(file("t5").parameters(12, 768).get(0).shape()).containsExactly(12, 32);
    assertThat(file("kerple-log").parameters(12, 768))
        .extracting(PositionalParameter::name)
        .containsExactly("p", "a");
    assertThat(file("kerple-log").parameters(12, 768).get(1).bounds())
        .isEqualTo(Kerple.FACTOR_BOUNDS);
    assertThat(file("gaussian").parameters(12, 768).get(0).rate()).isEqualTo(10);
  }
}
