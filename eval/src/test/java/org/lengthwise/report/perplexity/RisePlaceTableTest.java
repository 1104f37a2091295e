package org.lengthwise.report.perplexity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.training.LossCurve;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.result.Samples;

class RisePlaceTableTest {
  private final List<Located<EvaluationResult>> results = new ArrayList<>();

  /** The perplexities from T_tr = 128 on, at twice the length each. */
  private void add(String run, long seed, double... perplexities) {
    Map<Integer, Double> byLength = new TreeMap<>();
    for (double perplexity : perplexities) {
      byLength.put(128 << byLength.size(), perplexity);
    }
    byLength.forEach(
        (length, perplexity) ->
            results.add(
                new Located<>(Path.of("here"), 1, Samples.aligned(run, seed, length, perplexity))));
  }

  private List<TableText> tables(TrainedRun... trained) {
    Comparison comparison = Comparison.of(results);
    return RisePlaceTable.of(comparison.tables().get(0), comparison.results(), List.of(trained))
        .stream()
        .toList();
  }

  private static TrainedRun trained(String run, Map<String, Object> position) {
    LossCurve none = new LossCurve(List.of(), List.of());
    return new TrainedRun(
        run,
        1,
        ConfigLoader.strictMapper().valueToTree(Map.of("model", Map.of("position", position))),
        Optional.empty(),
        OptionalDouble.empty(),
        Double.NaN,
        Double.NaN,
        none,
        none);
  }

  /**
   * 16 x 16 = 256, so a third level is new at 512. 8 x 8 x 8 = 512, so a fourth is new at 1,024.
   */
  @Test
  void eachSeedIsComparedWithTheLengthsOfItsNewLevels() {
    add("regulargpt-16-2", 1, 6, 6, 7, 7.1, 7.1);
    add("regulargpt-16-2", 2, 6, 5, 7, 7.9, 7.1);
    add("regulargpt-8-2", 1, 6, 7, 6, 6.1, 6.1);
    add("alibi", 1, 5, 6, 5, 5, 5);
    assertThat(MarkdownTable.of(tables()))
        .contains(
            "| RegularGPT 16/2 | 1 | 512 | 512 | yes | 0.250 |",
            "| RegularGPT 16/2 | 2 | 512 | 512 | yes | 0.250 |",
            "| RegularGPT 16/2 | all |  |  | 2 of 2 | 0.063 |",
            "| RegularGPT 8/2 | 1 | 1,024 | 256 | no | 0.250 |",
            // 3 (1/4)^2 (3/4) + (1/4)^3
            "| all runs | all |  |  | 2 of 3 | 0.156 |")
        .doesNotContain("ALiBi");
  }

  /** 4 x 4 x 4 x 4 = 256: a level is new at 512, and the next one at 2,048. */
  @Test
  void aRunMayHaveSeveralNewLevels() {
    add("regulargpt-4-2", 1, 6, 6, 7, 7, 9);
    assertThat(MarkdownTable.of(tables()))
        .contains("| RegularGPT 4/2 | 1 | 512, 2,048 | 512, 2,048 | yes | 0.167 |");
  }

  @Test
  void aRunWithANewLevelEverywhereOrNowhereHasNoPlace() {
    add("regulargpt-64-2", 1, 6, 6, 7);
    add("regulargpt-2-2", 1, 6, 7, 8);
    assertThat(tables()).isEmpty();
  }

  @Test
  void aRunOfAFixedDepthHasNoNewLevel() {
    add("whole", 1, 6, 6, 7, 7, 9);
    add("fixed", 1, 6, 6, 7, 7, 9);
    assertThat(
            MarkdownTable.of(
                tables(
                    trained("whole", Map.of("scheme", "regulargpt", "chunk", 4)),
                    trained("fixed", Map.of("scheme", "regulargpt", "chunk", 4, "depth", 4)))))
        .contains("| whole | 1 | 512, 2,048 | 512, 2,048 | yes | 0.167 |")
        .doesNotContain("fixed");
  }
}
