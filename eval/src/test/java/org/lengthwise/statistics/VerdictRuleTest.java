package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VerdictRuleTest {
  private static final VerdictRule RULE = new VerdictRule(1.05, 2);
  private static final Interval HOLDING = new Interval(-0.01, 0.04);
  private static final Interval UNSETTLED = new Interval(0.02, 0.2);
  private static final Interval DEGRADING = new Interval(0.06, 0.9);
  private static final Interval EXPLODING = new Interval(0.7, 3);

  private static Verdict over(Interval... changes) {
    SortedMap<Integer, Interval> byLength = new TreeMap<>();
    for (int i = 0; i < changes.length; i++) {
      byLength.put(1024 << i, changes[i]);
    }
    return RULE.over(512, byLength);
  }

  private static String verdict(Interval... changes) {
    return over(changes).words();
  }

  @Test
  void aLengthIsSettledOnlyIfTheWholeIntervalAgrees() {
    assertThat(RULE.at(HOLDING)).isEqualTo(Outcome.HOLDS);
    assertThat(RULE.at(UNSETTLED)).isEqualTo(Outcome.NOT_SETTLED);
    assertThat(RULE.at(DEGRADING)).isEqualTo(Outcome.DEGRADES);
    assertThat(RULE.at(EXPLODING)).isEqualTo(Outcome.EXPLODES);
    assertThat(RULE.at(new Interval(-2, 5))).isEqualTo(Outcome.NOT_SETTLED);
    assertThat(RULE.at(new Interval(-2, -1))).isEqualTo(Outcome.HOLDS);
  }

  @Test
  void theWorstSettledOutcomeDecides() {
    assertThat(verdict(HOLDING, HOLDING, HOLDING)).isEqualTo("extrapolates to 4,096");
    assertThat(verdict(HOLDING, UNSETTLED))
        .isEqualTo("extrapolates to 1,024; not settled at 2,048");
    assertThat(verdict(UNSETTLED, HOLDING)).isEqualTo("not settled at 1,024");
    assertThat(verdict(HOLDING, DEGRADING, DEGRADING))
        .isEqualTo("degrades from 2,048; holds to 1,024");
    assertThat(verdict(UNSETTLED, EXPLODING, DEGRADING)).isEqualTo("explodes from 2,048");
  }

  @Test
  void anExplosionIsToldWithTheRiseBeforeIt() {
    assertThat(verdict(DEGRADING, DEGRADING, DEGRADING, EXPLODING))
        .isEqualTo("rises from 1,024, explodes from 8,192");
    assertThat(verdict(HOLDING, UNSETTLED, DEGRADING, EXPLODING, DEGRADING))
        .isEqualTo("rises from 4,096, explodes from 8,192; holds to 1,024");
    assertThat(verdict(HOLDING, EXPLODING)).isEqualTo("explodes from 2,048; holds to 1,024");
  }

  @Test
  void aSchemeDoesNotExtrapolateIfALengthIsNotSettled() {
    assertThat(over(HOLDING, HOLDING).outcome()).isEqualTo(Outcome.HOLDS);
    assertThat(over(HOLDING, UNSETTLED).outcome()).isEqualTo(Outcome.NOT_SETTLED);
    assertThat(over(HOLDING, UNSETTLED, HOLDING).outcome()).isEqualTo(Outcome.NOT_SETTLED);
    assertThat(over(HOLDING, UNSETTLED, DEGRADING).outcome()).isEqualTo(Outcome.DEGRADES);
    assertThatThrownBy(
            () -> new Verdict(Outcome.HOLDS, 512, 1024, OptionalInt.empty(), OptionalInt.of(2048)))
        .hasMessageContaining("held to 1024");
  }

  @Test
  void rejectsRatiosInTheWrongOrder() {
    assertThatThrownBy(() -> new VerdictRule(2, 1.05)).hasMessageContaining("tolerated_ratio");
    assertThatThrownBy(() -> new Interval(1, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
