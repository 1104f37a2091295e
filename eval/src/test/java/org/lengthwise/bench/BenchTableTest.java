package org.lengthwise.bench;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.bench.RoundRobinTimer.Variant;
import org.lengthwise.bench.RoundRobinTimer.Workload;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.positional.attention.Precision;

class BenchTableTest {
  private static final Path CONF = Path.of("../conf");
  private static final Host MACHINE =
      new Host("some processor", 2, 1, 24_000, "cpu", "17.0.1", "PyTorch 2.7.1", "peak");

  private static BenchReport report(List<BenchRow> rows, String... settings) {
    BenchConfig config =
        ConfigLoader.load(CONF.resolve("bench.yaml"), List.of(settings)).bind(BenchConfig.class);
    return new BenchReport(new BuildInfo("0.1.0", "abc", false), MACHINE, config, rows);
  }

  private static List<String> print(List<BenchRow> rows) {
    StringWriter text = new StringWriter();
    new BenchTable(new PrintWriter(text)).print(report(rows));
    return text.toString().lines().toList();
  }

  private static BenchRow row(
      BenchPart part, String variant, double median, BenchRow.Contrast... comparisons) {
    return new BenchRow(
        part,
        "work",
        variant,
        2000,
        2000,
        new BenchRow.Timing(median, median, median, 5),
        3L,
        List.of(comparisons),
        null,
        null,
        null);
  }

  private static BenchRow.Contrast contrast(String to, double ratio, double difference) {
    return new BenchRow.Contrast(to, ratio, difference, null);
  }

  @Test
  void eachVariantIsComparedWithItsReferences() {
    BenchPart part = BenchPart.LAST_TOKEN;
    List<String> lines =
        print(
            List.of(
                row(part, "fast", 10, contrast("plain", 2, 0), contrast("naive", 8, 0.5)),
                row(part, "naive", 80)));
    assertThat(lines.get(0)).contains("some processor", "2 processors", "24,000 MB", "device cpu");
    assertThat(lines.get(2)).isEqualTo("lengthwise 0.1.0, commit abc, clean, float32");
    assertThat(lines.get(3)).matches("part +workload +variant +T +ms +ms/1,000 tokens .*compared");
    assertThat(lines.get(4))
        .matches("last-token +work +fast +2000 +10.00 +5.000 +200,000 +3 .*")
        .endsWith("2.00x plain (differs by 0.0e+00); 8.00x naive (differs by 5.0e-01)");
    assertThat(lines.get(5)).endsWith(" 3");
  }

  @Test
  void onlyTrainingStepsOfSchemesHaveAUtilisationAndAProfile() {
    BenchRow step = row(BenchPart.SCHEMES, "alibi", 10);
    BenchRow profiled =
        new BenchRow(
            step.part(),
            step.workload(),
            step.variant(),
            step.length(),
            step.tokens(),
            step.milliseconds(),
            null,
            List.of(),
            0.25,
            new StepProfile(1_200, 30, 4, Map.of("aten::fused", 2), null),
            null);
    List<String> lines = print(List.of(step, profiled, row(BenchPart.SCALING, "rope", 1)));
    assertThat(lines.get(3))
        .endsWith("MFU  outside products  operators  copies  attention as profiled");
    assertThat(lines.get(4)).endsWith(" 3  unknown");
    assertThat(lines.get(5)).matches(".* unknown +25.0 % +unknown +1,200 +30  2 aten::fused");
    assertThat(lines.get(6)).endsWith(" 3");
    assertThat(print(List.of(step)).get(3)).endsWith("MFU");
  }

  @Test
  void variantsThatComputeDifferentThingsAreComparedInTimeOnly() {
    List<BenchRow> rows =
        new RoundRobinTimer(ProcessMemory.own(), 1)
            .run(
                new Workload(BenchPart.RECURRENCE, "a figure, training step", 64, 64),
                List.of(
                    Variant.of("staircase-4-2", () -> 1).inTimeAgainst("plain"),
                    Variant.of("plain", () -> 2)));
    assertThat(report(rows).disagreements()).isEmpty();
    List<String> lines = print(rows);
    assertThat(lines.get(lines.size() - 2)).matches("recurrence .* [0-9.,]+x plain");
    assertThat(CostChart.of(rows))
        .singleElement()
        .satisfies(
            chart -> {
              assertThat(chart.name()).isEqualTo("slowdown-a-figure-training-step");
              assertThat(chart.series()).hasSize(1);
              assertThat(chart.series().get(0).points().get(0).y())
                  .isEqualTo(1 / requireNonNull(rows.get(0).comparisons().get(0).ratio()));
            });
  }

  private static List<BenchRow> apart(BenchPart part, double difference) {
    return List.of(row(part, "fast", 1, contrast("plain", 2, difference)), row(part, "plain", 2));
  }

  @Test
  void variantsThatDifferTooMuchAreNamed() {
    assertThat(report(apart(BenchPart.SCALING, 5e-5)).disagreements()).isEmpty();
    assertThat(report(apart(BenchPart.SCALING, 2e-4)).disagreements())
        .containsExactly(
            "scaling, work, T = 2000: fast differs from plain by 2.0e-04, more than 1.0e-04");
    assertThat(report(apart(BenchPart.SCALING, Double.NaN)).disagreements()).hasSize(1);
  }

  @Test
  void aVariantThatThrowsHasARowAndTheOthersGoOn() throws IOException {
    List<BenchRow> stored = new ArrayList<>();
    List<BenchRow> rows = new ArrayList<>(measured(stored, "bad", "a | b\nat a place"));
    rows.addAll(measured(stored, "good", null));
    assertThat(stored).isEqualTo(rows);
    List<String> lines = print(rows);
    assertThat(lines.get(3)).endsWith("peak MB  failure");
    assertThat(lines.get(4)).matches("scaling +work +bad +2000 +IllegalStateException: a / b");
    assertThat(lines.get(5)).matches("scaling +work +good +2000 +1.00 .* 3");
    List<BenchRow> both = new ArrayList<>(rows);
    both.addAll(apart(BenchPart.SCALING, 1));
    assertThat(report(both).disagreements())
        .hasSize(2)
        .last()
        .isEqualTo("scaling, work, T = 2000: bad failed: IllegalStateException: a | b");
    assertThat(measured(rows, "bad", "not run again")).containsExactly(rows.get(0));
  }

  @Test
  void anErrorOfCudaIsStoredAndEndsTheProcess() {
    List<BenchRow> stored = new ArrayList<>();
    assertThatThrownBy(() -> measured(stored, "bad", "CUDA error: an illegal memory access"))
        .hasMessageContaining("--resume");
    assertThat(stored).extracting(BenchRow::variant).containsExactly("bad");
  }

  /** The rows of a measurement that may fail; the stored rows are also the earlier ones. */
  private static List<BenchRow> measured(
      List<BenchRow> stored, String variant, @Nullable String failure) throws IOException {
    BenchSetting setting =
        new BenchSetting(
            Device.cpu(),
            Precision.FLOAT32,
            new RoundRobinTimer(ProcessMemory.own(), 1),
            null,
            CONF,
            List.copyOf(stored),
            stored::add);
    return setting.rows(
        row -> row.variant().equals(variant),
        new Workload(BenchPart.SCALING, "work", 2000, 2000),
        variant,
        () -> {
          if (failure != null) {
            throw new IllegalStateException(failure);
          }
          return List.of(row(BenchPart.SCALING, variant, 1));
        });
  }

  @Test
  void theToleranceFollowsThePrecisionOfThePart() {
    String halves = "precision=bfloat16";
    assertThat(report(apart(BenchPart.SCALING, 0.05), halves).disagreements()).isEmpty();
    assertThat(report(apart(BenchPart.TRAINING, 0.05), halves).disagreements()).hasSize(1);
  }
}
