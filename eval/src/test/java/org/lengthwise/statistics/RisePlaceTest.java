package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RisePlaceTest {
  private static final List<Double> CHANGES = List.of(0.12, -0.5, 0.02, 0.31);

  @Test
  void theLargestChangesAreComparedWithThePredictedOnes() {
    RisePlace both = new RisePlace(CHANGES, Set.of(0, 3));
    assertThat(both.largest()).containsExactly(0, 3);
    assertThat(both.isAsPredicted()).isTrue();
    RisePlace one = new RisePlace(CHANGES, Set.of(0));
    assertThat(one.largest()).containsExactly(3);
    assertThat(one.isAsPredicted()).isFalse();
    assertThat(new RisePlace(CHANGES, Set.of(1, 3)).isAsPredicted()).isFalse();
  }

  @Test
  void equalChangesDoNotShowAPlace() {
    assertThat(new RisePlace(List.of(0.1, 0.1), Set.of(0)).isAsPredicted()).isFalse();
  }

  /** Two of four changes can be chosen in 6 ways, one in 4, two of five in 10. */
  @Test
  void theChanceOfASeedIsOneOverTheNumberOfChoices() {
    assertThat(new RisePlace(CHANGES, Set.of(0, 3)).chance()).isCloseTo(1 / 6.0, within(1e-15));
    assertThat(new RisePlace(CHANGES, Set.of(3)).chance()).isEqualTo(0.25);
    assertThat(new RisePlace(List.of(1.0, 2.0, 3.0, 4.0, 5.0), Set.of(3, 4)).chance())
        .isCloseTo(0.1, within(1e-15));
  }

  /** 4^-6 for six of six. For two of three with a chance of 1/4: 3 (1/4)^2 (3/4) + (1/4)^3. */
  @Test
  void chancesOfSeedsAreMultiplied() {
    RisePlace hit = new RisePlace(CHANGES, Set.of(3));
    RisePlace miss = new RisePlace(CHANGES, Set.of(2));
    assertThat(RisePlace.chance(List.of(hit, hit, hit, hit, hit, hit)))
        .isCloseTo(Math.pow(4, -6), within(1e-15));
    assertThat(RisePlace.chance(List.of(hit, miss, hit))).isCloseTo(10 / 64.0, within(1e-15));
    assertThat(RisePlace.chance(List.of(miss, miss))).isEqualTo(1);
    assertThat(RisePlace.chance(List.of(hit, new RisePlace(CHANGES, Set.of(0, 3)))))
        .isCloseTo(1 / 24.0, within(1e-15));
  }

  @Test
  void rejectsPredictionsOfAllOrNoChanges() {
    assertThatThrownBy(() -> new RisePlace(CHANGES, Set.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RisePlace(CHANGES, Set.of(0, 1, 2, 3)))
        .hasMessageContaining("some of 4 changes");
    assertThatThrownBy(() -> new RisePlace(CHANGES, Set.of(4)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
