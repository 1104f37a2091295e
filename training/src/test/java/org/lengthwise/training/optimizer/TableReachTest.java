package org.lengthwise.training.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.FormulaParameter;
import org.lengthwise.positional.FormulaParameter.FirstValues;
import org.lengthwise.positional.FormulaParameter.Per;
import org.lengthwise.positional.Formulas;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.T5;
import org.lengthwise.training.config.OptimizerConfig;

class TableReachTest {

  /** The reach in 300 steps at 2e-3, whose rates add up to 0.33. */
  private static TableReach reach(PositionalScheme scheme, double positionalRate) {
    OptimizerConfig config =
        new OptimizerConfig(2e-3, positionalRate, 0.9, 0.95, 1e-8, 0.1, 1, 0.05, 0.1);
    return TableReach.of(new ModelConfig(2, 128, 4, 256, scheme), config, 300).orElseThrow();
  }

  @Test
  void chunkOfSixteenKeysNeedsMoreThanAShortRunReaches() {
    TableReach reach = reach(new RegularGpt(16), 1);
    assertThat(reach.nats()).isCloseTo(0.33, within(0.002));
    assertThat(reach.needed()).isCloseTo(2.708, within(0.001));
    assertThat(reach.warning())
        .contains(
            "the training can move the biases of transformer.h.0.attn.r by about 0.33, but half of"
                + " the attention on one of 16 keys needs ln(15) = 2.71: raise"
                + " optimizer.positional_rate, or train for more steps");
    assertThat(reach(new RegularGpt(8), 8).warning()).as("2.64 is above ln(7) = 1.95").isEmpty();
  }

  @Test
  void tableOfT5HasThirtyTwoBucketsAndItsScaleMovesItFaster() {
    assertThat(reach(new T5(T5.Scale.ONE), 8).nats()).isCloseTo(8 * 0.33, within(0.01));
    TableReach scaled = reach(new T5(T5.Scale.SQRT_HEAD_WIDTH), 8);
    assertThat(scaled.nats()).as("sqrt(32) = 5.66").isCloseTo(5.66 * 0.33, within(0.01));
    assertThat(scaled.needed()).isCloseTo(3.434, within(0.001));
    assertThat(scaled.warning().orElseThrow())
        .contains("ln(31) = 3.43")
        .endsWith("train for more steps, or raise optimizer.learning_rate");
  }

  @Test
  void tablesOfFormulasThatStartFlatMoveAsThoseOfBuiltInSchemes() {
    FirstValues small = new FirstValues(null, 0.02, null);
    FormulaParameter t = new FormulaParameter(List.of(Per.HEAD), 32, small, null, null, 1);
    TableReach plain = reach(Formulas.of("at(t, min(delta, 31))", Map.of("t", t)), 8);
    assertThat(plain).isEqualTo(new TableReach("transformer.position.t", true, 32, plain.nats()));
    assertThat(plain.nats()).isCloseTo(8 * 0.33, within(0.01));
    TableReach scaled =
        reach(Formulas.of("-delta + at(t, min(delta, 31)) * sqrt(D)", Map.of("t", t)), 8);
    assertThat(scaled.nats()).as("as T5, scaled").isCloseTo(5.66 * 0.33, within(0.01));
    FormulaParameter s = new FormulaParameter(List.of(Per.SHARED), 8, small, null, null, 2);
    TableReach hardest =
        reach(Formulas.of("at(s, h) / 8 + at(t, min(delta, 31))", Map.of("t", t, "s", s)), 8);
    assertThat(hardest.nats()).as("16 / 8 times 0.33").isCloseTo(2 * 0.33, within(0.01));
  }

  @Test
  void aFormulaOfATableThatIsNoBiasNeedsNothing() {
    OptimizerConfig config = new OptimizerConfig(2e-3, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0.05, 0.1);
    FormulaParameter t = Formulas.table(32, Per.HEAD);
    for (String bias : List.of("-delta * at(t, h)", "exp(at(t, h))", "9 * at(t, min(delta, 31))")) {
      assertThat(
              TableReach.of(
                  new ModelConfig(2, 128, 4, 256, Formulas.of(bias, Map.of("t", t))), config, 300))
          .as(bias)
          .isEmpty();
    }
  }

  @Test
  void twoKeysAndSchemesWithoutATableNeedNothing() {
    assertThat(reach(new RegularGpt(2), 1).warning()).isEmpty();
    OptimizerConfig config = new OptimizerConfig(2e-3, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0.05, 0.1);
    assertThat(TableReach.of(new ModelConfig(2, 128, 4, 256, new KerpleLog()), config, 300))
        .isEmpty();
  }
}
