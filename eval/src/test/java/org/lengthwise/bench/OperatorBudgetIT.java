package org.lengthwise.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.device.Devices;

/**
 * The operators, copies and reads of a training step. A GPU starts a kernel for each operator, so
 * one too many costs time there that no measurement on a CPU shows.
 *
 * <p>A step has two blocks, two micro-batches and, at 512 positions, two blocks of queries. It runs
 * in bfloat16 on a CPU. There a scheme that learns its bias computes scores, products and softmax
 * with an operator each; on a GPU one fused operator does this.
 */
class OperatorBudgetIT {
  /** A budget that exceeds its count by more than this share is out of date. */
  private static final double SLACK = 0.05;

  /**
   * What a step may take.
   *
   * @param operators as in {@link StepProfile}
   * @param copies as in {@link StepProfile}
   * @param reads as in {@link StepProfile}
   */
  private record Budget(int operators, int copies, int reads) {

    static Budget spent(StepProfile profile) {
      return new Budget(profile.operators(), profile.copies(), profile.reads());
    }

    boolean covers(Budget spent) {
      return covers(operators, spent.operators)
          && covers(copies, spent.copies)
          && covers(reads, spent.reads);
    }

    private static boolean covers(int budget, int spent) {
      return spent <= budget && spent >= (1 - SLACK) * budget;
    }
  }

  private static final Map<String, Budget> BUDGETS =
      Map.ofEntries(
          Map.entry("none", new Budget(371, 123, 8)),
          Map.entry("learned", new Budget(381, 125, 10)),
          Map.entry("sinusoidal", new Budget(377, 127, 10)),
          Map.entry("rope", new Budget(503, 167, 12)),
          Map.entry("sliding-window", new Budget(547, 187, 8)),
          Map.entry("alibi", new Budget(447, 135, 12)),
          Map.entry("sandwich", new Budget(447, 135, 12)),
          Map.entry("t5", new Budget(711, 267, 14)),
          Map.entry("kerple-log", new Budget(761, 277, 22)),
          Map.entry("formula", new Budget(759, 277, 22)),
          Map.entry("kerple-power", new Budget(767, 279, 22)),
          Map.entry("fire", new Budget(1_119, 323, 24)),
          Map.entry("transformer-xl", new Budget(815, 303, 12)),
          Map.entry("cope", new Budget(1_525, 455, 12)),
          Map.entry("forget", new Budget(1_393, 419, 12)),
          Map.entry("stick-breaking", new Budget(1_381, 399, 20)),
          Map.entry("dape", new Budget(3_673, 1_137, 20)),
          Map.entry("layers", new Budget(519, 171, 10)),
          Map.entry("randomized", new Budget(511, 171, 16)),
          Map.entry("linear", new Budget(739, 247, 12)),
          Map.entry("gla", new Budget(1_927, 583, 16)),
          Map.entry("mamba2", new Budget(1_471, 415, 16)),
          Map.entry("deltanet", new Budget(1_523, 383, 20)),
          Map.entry("gated-deltanet", new Budget(1_959, 471, 16)),
          Map.entry("lru", new Budget(1_803, 271, 8)),
          Map.entry("regulargpt", new Budget(1_203, 447, 12)));

  /** With several threads some operators split their work into more operators. */
  private static List<BenchRow> onOneThread(SchemesBench schemes) throws IOException {
    Device cpu = Devices.of("cpu"); // loads the engine
    int threads = JniUtils.getNumThreads();
    JniUtils.setNumThreads(1);
    try {
      RoundRobinTimer timer = new RoundRobinTimer(ProcessMemory.own(), 1);
      return schemes.run(
          new BenchSetting(
              cpu, Precision.BFLOAT16, timer, null, Path.of("unused"), List.of(), row -> {}));
    } finally {
      JniUtils.setNumThreads(threads);
    }
  }

  private static SchemesBench schemes(String... more) throws IOException {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "schemes.steps=1",
                "schemes.lengths=[512]",
                "schemes.batch=4",
                "schemes.micro_batch=2",
                "schemes.model={layers: 2, width: 16, heads: 2}",
                "schemes.vocabulary=257",
                "schemes.profile=true"));
    settings.addAll(List.of(more));
    return ConfigLoader.load(Path.of("../conf/bench.yaml"), settings)
        .bind(BenchConfig.class)
        .schemes();
  }

  @Test
  void noSchemeExceedsItsBudget() throws IOException {
    Map<String, Budget> spent = new TreeMap<>();
    for (BenchRow row : onOneThread(schemes())) {
      spent.put(row.variant(), Budget.spent(Objects.requireNonNull(row.profile())));
    }
    assertThat(spent)
        .allSatisfy(
            (scheme, found) ->
                assertThat(BUDGETS.getOrDefault(scheme, new Budget(4, -2, 0)))
                    .as("the budget of %s", scheme)
                    .matches(budget -> budget.covers(found), "covers " + found));
    assertThat(spent.keySet()).isEqualTo(BUDGETS.keySet());
  }

  /** Norms cast their weights, which are small, instead of the stream. */
  @Test
  void aResidualStreamInBfloat16HasItsOwnBudget() throws IOException {
    SchemesBench all = schemes("schemes.residual=bfloat16");
    SchemesBench none =
        new SchemesBench(
            all.steps(),
            all.lengths(),
            all.batch(),
            all.microBatch(),
            all.model(),
            all.vocabulary(),
            Map.of("none", Objects.requireNonNull(all.schemes().get("none"))),
            all.optimizer(),
            all.peakFlops(),
            all.profile(),
            all.residual(),
            all.documents());
    Budget spent = Budget.spent(Objects.requireNonNull(onOneThread(none).get(0).profile()));
    assertThat(new Budget(383, 137, 8)).matches(budget -> budget.covers(spent), "covers " + spent);
  }
}
