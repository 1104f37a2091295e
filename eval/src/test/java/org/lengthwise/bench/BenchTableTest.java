package org.lengthwise.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.ConfigLoader;

class BenchTableTest {
  private static final Path CONF = Path.of("../conf");
  private static final Host MACHINE =
      new Host("some processor", 2, 1, 24_000, "cpu", "17.0.1", "PyTorch 2.7.1", "peak");

  private static BenchReport report(
      List<BenchRow> rows, List<SoakBench.Row> soak, String... settings) {
    BenchConfig config =
        ConfigLoader.load(CONF.resolve("bench.yaml"), List.of(settings)).bind(BenchConfig.class);
    return new BenchReport(
        new BuildInfo("0.1.0", "abc", false), MACHINE, config, rows, List.of(), null, soak);
  }

  private static List<String> print(List<BenchRow> rows, List<SoakBench.Row> soak) {
    StringWriter text = new StringWriter();
    new BenchTable(new PrintWriter(text)).print(report(rows, soak));
    return text.toString().lines().toList();
  }

  private static RoundRobinTimer.Timed timed(
      String variant, double median, double result, String... references) {
    return new RoundRobinTimer.Timed(
        variant,
        new RoundRobinTimer.Timing(median, median, median, 5),
        Collections.nCopies(5, median),
        result,
        3L << 20,
        RoundRobinTimer.Variant.of(variant, () -> result).against(references).references());
  }

  @Test
  void eachVariantIsComparedWithItsReferences() {
    List<BenchRow> rows =
        new BenchRow.Workload(BenchPart.LAST_TOKEN, "a model", 2000, 2000)
            .rows(
                List.of(
                    timed("fast", 10, 1, "plain", "naive"),
                    timed("plain", 20, 1, "naive"),
                    timed("naive", 80, 1.5)));
    List<String> lines = print(rows, List.of());
    assertThat(lines.get(0)).contains("some processor", "2 processors", "24,000 MB", "device cpu");
    assertThat(lines.get(2)).isEqualTo("lengthwise 0.1.0, commit abc, clean, float32");
    assertThat(lines.get(3)).matches("part +workload +variant +T +ms +ms/1,000 tokens .*compared");
    assertThat(lines.get(4))
        .matches("last-token +a model +fast +2000 +10.00 +5.000 +200,000 +3 .*")
        .endsWith("2.00x plain (differs by 0.0e+00); 8.00x naive (differs by 5.0e-01)");
    assertThat(lines.get(5)).endsWith("4.00x naive (differs by 5.0e-01)");
    assertThat(lines.get(6)).endsWith(" 3");
  }

  @Test
  void variantsThatComputeDifferentThingsAreComparedInTimeOnly() {
    List<RoundRobinTimer.Timed> timed =
        new RoundRobinTimer(ProcessMemory.own(), 1)
            .run(
                List.of(
                    RoundRobinTimer.Variant.of("staircase-4-2", () -> 1).inTimeAgainst("plain"),
                    RoundRobinTimer.Variant.of("plain", () -> 2)));
    List<BenchRow> rows =
        new BenchRow.Workload(BenchPart.RECURRENCE, "a figure, training step", 64, 64).rows(timed);
    assertThat(report(rows, List.of()).disagreements()).isEmpty();
    List<String> lines = print(rows, List.of());
    assertThat(lines.get(lines.size() - 2)).matches("recurrence .* [0-9.,]+x plain");
    assertThat(CostChart.of(rows))
        .singleElement()
        .satisfies(
            chart -> {
              assertThat(chart.name()).isEqualTo("slowdown-a-figure-training-step");
              assertThat(chart.series()).hasSize(1);
              assertThat(chart.series().get(0).points().get(0).y())
                  .isEqualTo(1 / rows.get(0).comparisons().get(0).ratio());
            });
  }

  @Test
  void memoryOverTheStepsIsInMegabytes() {
    List<String> lines = print(List.of(), List.of(new SoakBench.Row(500, 300L << 20, 20L << 20)));
    assertThat(lines.get(lines.size() - 1)).matches(" +500 +300.0 +20.0");
    lines = print(List.of(), List.of(new SoakBench.Row(500, null, 20L << 20)));
    assertThat(lines.get(lines.size() - 1)).matches(" +500 +unknown +20.0");
  }

  private static List<BenchRow> apart(BenchPart part, double difference) {
    RoundRobinTimer.Variant fast =
        RoundRobinTimer.Variant.of("fast", () -> 1).against("plain", () -> difference);
    RoundRobinTimer.Timed timed =
        new RoundRobinTimer.Timed(
            "fast",
            new RoundRobinTimer.Timing(1, 1, 1, 1),
            List.of(1.0),
            1,
            null,
            fast.references());
    return new BenchRow.Workload(part, "work", 64, 64).rows(List.of(timed, timed("plain", 2, 1)));
  }

  @Test
  void variantsThatDifferTooMuchAreNamed() {
    assertThat(report(apart(BenchPart.SCALING, 5e-5), List.of()).disagreements()).isEmpty();
    assertThat(report(apart(BenchPart.SCALING, 2e-4), List.of()).disagreements())
        .containsExactly(
            "scaling, work, T = 64: fast differs from plain by 2.0e-04, more than 1.0e-04");
    assertThat(report(apart(BenchPart.SCALING, Double.NaN), List.of()).disagreements()).hasSize(1);
  }

  @Test
  void theToleranceFollowsThePrecisionOfThePart() {
    String halves = "precision=bfloat16";
    assertThat(report(apart(BenchPart.SCALING, 0.05), List.of(), halves).disagreements()).isEmpty();
    assertThat(report(apart(BenchPart.TRAINING, 0.05), List.of(), halves).disagreements())
        .hasSize(1);
  }
}
