package org.lengthwise.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundRobinTimerTest {
  private final List<String> passes = new ArrayList<>();

  private RoundRobinTimer.Variant variant(String name, double result) {
    return RoundRobinTimer.Variant.of(name, () -> pass(name, result));
  }

  private double pass(String name, double result) {
    passes.add(name);
    return result;
  }

  @Test
  void variantsTakeTurnsAfterOneWarmUpPassOfEach(@TempDir Path nothing) {
    List<RoundRobinTimer.Timed> timed =
        new RoundRobinTimer(new ProcessMemory(nothing), 2)
            .run(List.of(variant("a", 1), variant("b", 2)));
    assertThat(passes).containsExactly("a", "b", "a", "b", "a", "b");
    assertThat(timed).extracting(RoundRobinTimer.Timed::variant).containsExactly("a", "b");
    assertThat(timed).extracting(RoundRobinTimer.Timed::result).containsExactly(1.0, 2.0);
    assertThat(timed).extracting(of -> of.timing().repetitions()).containsExactly(2, 2);
    assertThat(timed).allSatisfy(of -> assertThat(of.timing().median()).isNotNegative());
  }

  @Test
  void aVariantThatTakesMinutesRunsOnce(@TempDir Path nothing) {
    RoundRobinTimer.Variant once = RoundRobinTimer.Variant.once("slow", () -> pass("slow", 3));
    List<RoundRobinTimer.Timed> timed =
        new RoundRobinTimer(new ProcessMemory(nothing), 3).run(List.of(variant("fast", 3), once));
    assertThat(passes).containsExactly("fast", "slow", "fast", "fast", "fast");
    assertThat(timed.get(1).timing().repetitions()).isEqualTo(1);
  }

  @Test
  void theMedianOfAnEvenCountIsTheMeanOfTheMiddleTwo() {
    assertThat(RoundRobinTimer.Timing.of(new double[] {9, 1, 2}))
        .isEqualTo(new RoundRobinTimer.Timing(2, 1, 9, 3));
    assertThat(RoundRobinTimer.Timing.of(new double[] {4, 1, 2, 9}))
        .isEqualTo(new RoundRobinTimer.Timing(3, 1, 9, 4));
  }

  /** A machine that slows down from round to round changes both times, and not their ratio. */
  @Test
  void speedsAreComparedRoundByRound() {
    RoundRobinTimer.Timed fast = timed(1, 2, 40);
    assertThat(fast.speedOver(timed(2, 4, 80))).isEqualTo(2);
    assertThat(fast.speedOver(timed(3, 4, 4))).isEqualTo(2);
    assertThat(fast.speedOver(timed(10))).isEqualTo(5);
  }

  private static RoundRobinTimer.Timed timed(double... rounds) {
    return new RoundRobinTimer.Timed(
        "any",
        RoundRobinTimer.Timing.of(rounds),
        DoubleStream.of(rounds).boxed().toList(),
        0,
        null,
        List.of());
  }
}
