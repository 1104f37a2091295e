package org.lengthwise.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundRobinTimerTest {
  private static final RoundRobinTimer.Workload WORK =
      new RoundRobinTimer.Workload(BenchPart.SCALING, "work", 8, 8);

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
    List<BenchRow> rows =
        new RoundRobinTimer(new ProcessMemory(nothing), 2)
            .run(WORK, List.of(variant("a", 1).against("b"), variant("b", 3)));
    assertThat(passes).containsExactly("a", "b", "a", "b", "a", "b");
    assertThat(rows).extracting(BenchRow::variant).containsExactly("a", "b");
    assertThat(rows.get(0).comparisons().get(0).difference()).isEqualTo(2);
    assertThat(rows).extracting(row -> row.milliseconds().repetitions()).containsExactly(2, 2);
    assertThat(rows).allSatisfy(row -> assertThat(row.milliseconds().median()).isNotNegative());
    assertThat(rows).allSatisfy(row -> assertThat(row.peakMegabytes()).isNull());
  }

  @Test
  void aVariantThatTakesMinutesRunsOnce(@TempDir Path nothing) {
    RoundRobinTimer.Variant once = RoundRobinTimer.Variant.once("slow", () -> pass("slow", 3));
    List<BenchRow> rows =
        new RoundRobinTimer(new ProcessMemory(nothing), 3)
            .run(WORK, List.of(variant("fast", 3), once));
    assertThat(passes).containsExactly("fast", "slow", "fast", "fast", "fast");
    assertThat(rows.get(1).milliseconds().repetitions()).isEqualTo(1);
  }

  @Test
  void theMedianOfAnEvenCountIsTheMeanOfTheMiddleTwo() {
    assertThat(BenchRow.Timing.of(new double[] {9, 1, 2}))
        .isEqualTo(new BenchRow.Timing(2, 1, 9, 3));
    assertThat(BenchRow.Timing.of(new double[] {4, 1, 2, 9}))
        .isEqualTo(new BenchRow.Timing(3, 1, 9, 4));
  }

  /** A machine that slows down from round to round changes both times, and not their ratio. */
  @Test
  void speedsAreComparedRoundByRound() {
    double[] fast = {1, 2, 40};
    assertThat(RoundRobinTimer.speed(fast, new double[] {2, 4, 80})).isEqualTo(2);
    assertThat(RoundRobinTimer.speed(fast, new double[] {3, 4, 4})).isEqualTo(2);
    assertThat(RoundRobinTimer.speed(fast, new double[] {10})).isEqualTo(5);
  }
}
