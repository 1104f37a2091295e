package org.lengthwise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;
import org.lengthwise.result.TrialResult;

/** What a search draws and chooses, without training. */
class SearchTest {
  private static final String RATES = "optimizer.learning_rate: {log_uniform: [1.0e-5, 1.0e-2]}";

  @TempDir private Path folder;

  private Experiment load(String search) throws IOException {
    return Experiment.load(file(search), List.of());
  }

  private Path file(String search) throws IOException {
    Path conf = Path.of("../conf").toAbsolutePath().normalize();
    return Files.writeString(
        folder.resolve("experiment.yaml"),
        """
            extends: [%1$s/base-64.yaml, %1$s/model/tiny.yaml]
            experiment:
              data: shards
              columns: [%1$s/position/none.yaml, %1$s/position/alibi.yaml]
              seeds: [4, 5]
              search: %2$s
              measurements:
                - kind: receptive-field
                  lengths: [64]
                  samples: 2
                  seed: 1
                  position_scaling: [none]
                  memory_limit_megabytes: 64
                  precision: float32
                  device: cpu
            """
            .formatted(conf, search));
  }

  private List<Trial> trials(String search) throws IOException {
    return trials(load(search), "none");
  }

  private static List<Trial> trials(Experiment experiment, String run) {
    return Objects.requireNonNull(experiment.searches().byRun().get(run)).trials();
  }

  private static double rate(Trial trial) {
    return trial.config().optimizer().learningRate();
  }

  @Test
  void trialsComeBeforeRuns() throws IOException {
    assertThat(load("{trials: 2, seed: 1, space: {%s}}".formatted(RATES)).names())
        .containsExactly(
            "none-trial1",
            "none-trial2",
            "alibi-trial1",
            "alibi-trial2",
            "none-seed4",
            "none-seed5",
            "alibi-seed4",
            "alibi-seed5");
  }

  @Test
  void ratesCoverTheRangeByPowersOfTen() throws IOException {
    List<Double> rates =
        trials("{trials: 300, seed: 1, space: {%s}}".formatted(RATES)).stream()
            .map(SearchTest::rate)
            .toList();
    assertThat(rates).allSatisfy(rate -> assertThat(rate).isBetween(1e-5, 1e-2));
    assertThat(rates.stream().filter(rate -> rate < 1e-4).count()).isBetween(80L, 120L);
    assertThat(rates.stream().filter(rate -> rate > 1e-3).count()).isBetween(80L, 120L);
    assertThat(rates)
        .allSatisfy(
            rate -> assertThat(new BigDecimal(rate.toString()).precision()).isLessThanOrEqualTo(3));
  }

  @Test
  void valuesAndUniformNumbersAreDrawnEvenly() throws IOException {
    List<Trial> trials =
        trials(
            "{trials: 300, seed: 1, space: {training.batch: [32, 64, 96],"
                + " optimizer.weight_decay: {uniform: [0.1, 0.3]}}}");
    for (int batch : List.of(32, 64, 96)) {
      assertThat(trials.stream().filter(one -> one.config().training().batch() == batch).count())
          .isBetween(70L, 130L);
    }
    assertThat(trials)
        .extracting(one -> one.config().optimizer().weightDecay())
        .allMatch(decay -> decay >= 0.1 && decay <= 0.3);
    assertThat(
            trials.stream()
                .mapToDouble(one -> one.config().optimizer().weightDecay())
                .average()
                .orElseThrow())
        .isBetween(0.19, 0.21);
  }

  @Test
  void drawsDependOnSeedAndNumberOnly() throws IOException {
    List<Trial> few = trials("{trials: 3, seed: 1, space: {%s}}".formatted(RATES));
    String more = ", optimizer.beta2: [0.95, 0.99]";
    List<Trial> all = trials("{trials: 5, seed: 1, space: {%s%s}}".formatted(RATES, more));
    assertThat(all.subList(0, 3)).extracting(SearchTest::rate).isEqualTo(rates(few));
    assertThat(rates(load("{trials: 3, seed: 1, space: {%s}}".formatted(RATES)), "alibi"))
        .isEqualTo(rates(few));
    assertThat(rates(trials("{trials: 3, seed: 2, space: {%s}}".formatted(RATES))))
        .doesNotContainAnyElementsOf(rates(few));
  }

  private static List<Double> rates(Experiment experiment, String run) {
    return rates(trials(experiment, run));
  }

  private static List<Double> rates(List<Trial> trials) {
    return trials.stream().map(SearchTest::rate).toList();
  }

  @Test
  void trialsHaveTheirOwnStepsAndTheSeedOfTheSearch() throws IOException {
    Trial trial =
        trials("{trials: 1, seed: 9, space: {%s}, trial: {training.steps: 7}}".formatted(RATES))
            .get(0);
    assertThat(trial.config().training().steps()).isEqualTo(7);
    assertThat(trial.config().seed()).isEqualTo(9);
    assertThat(trial.settings()).containsExactly("optimizer.learning_rate=" + plain(rate(trial)));
  }

  @Test
  void aRunCannotRepeatTheChosenTrial() {
    assertThatThrownBy(() -> load("{trials: 1, seed: 5, space: {%s}}".formatted(RATES)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("experiment.search.seed: expected a seed that no run has")
        .hasMessageContaining("found 5, and runs with the seeds [4, 5]");
  }

  @Test
  void anErrorOfAColumnIsNotOneOfTheSearch() {
    assertThatThrownBy(
            () ->
                Experiment.load(
                    file("{trials: 1, seed: 1, space: {%s}}".formatted(RATES)),
                    List.of("training.steps=0")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("training.steps")
        .hasMessageNotContaining("search");
  }

  @Test
  void mappingsAndListsAreDrawnWhole() throws IOException {
    String space = "{position: [{scheme: alibi}]}";
    Trial trial = trials("{trials: 1, seed: 1, space: %s}".formatted(space)).get(0);
    assertThat(trial.config().position().label()).isEqualTo("alibi");
  }

  @Test
  void roundedDrawsStayInTheirRange() throws IOException {
    String space = "{optimizer.weight_decay: {uniform: [0.99991, 0.99992]}}";
    assertThat(trials("{trials: 20, seed: 1, space: %s}".formatted(space)))
        .extracting(one -> one.config().optimizer().weightDecay())
        .allMatch(drawn -> drawn >= 0.99991 && drawn <= 0.99992);
  }

  @Test
  void aDrawnValueThatIsNotAllowedIsNamedWithTheSpace() {
    assertThatThrownBy(
            () -> load("{trials: 1, seed: 1, space: {training.steps: {uniform: [10, 90]}}}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("experiment.search.space, trial 1 of none")
        .hasMessageContaining("only a list gives whole numbers. experiment.search.space training.")
        .hasMessageContaining("expected a whole number");
  }

  private static String plain(double value) {
    return new BigDecimal(Double.toString(value)).toPlainString();
  }

  @Test
  void aWrongSpaceIsRejectedWithItsLine() {
    for (String range : List.of("{log_uniform: [0, 1]}", "{uniform: [2, 1]}", "[]", "3")) {
      String search = "{trials: 1, seed: 1, space: {model.dropout: %s}}".formatted(range);
      assertThatThrownBy(() -> load(search))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("experiment.yaml:6")
          .hasMessageContaining("a list of values, {uniform: [low, high]}");
    }
    assertThatThrownBy(() -> load("{trials: 1, seed: 1, space: {optimizer.rates: [1]}}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("rates");
  }

  @Test
  void keysOfRunsAreNotDrawn() {
    for (String key : List.of("name", "seed", "start.checkpoint")) {
      assertThatThrownBy(() -> load("{trials: 1, seed: 1, space: {%s: [4, 5]}}".formatted(key)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("a setting of a training")
          .hasMessageContaining("space." + key);
      String trial = "{trials: 1, seed: 1, space: {%s}, trial: {%s: 1}}".formatted(RATES, key);
      assertThatThrownBy(() -> load(trial))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("trial." + key);
    }
  }

  @Test
  void settingsOfTheCommandAreNotDrawn() throws IOException {
    Path file = file("{trials: 1, seed: 1, space: {%s}}".formatted(RATES));
    for (String setting : List.of("optimizer.learning_rate=1e-3", "optimizer={}")) {
      assertThatThrownBy(() -> Experiment.load(file, List.of(setting)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("--set " + setting)
          .hasMessageContaining("found optimizer.learning_rate, which it draws");
    }
    String other = "optimizer.learning_rates_of_others=1";
    assertThatThrownBy(() -> Experiment.load(file, List.of(other)))
        .hasMessageNotContaining("draws");
  }

  @Test
  void theFirstOfTheLowestLossesIsChosen() {
    List<TrialResult> trials =
        List.of(result(1, null), result(2, 3.0), result(3, 2.5), result(4, 2.5));
    assertThat(TrialResult.chosen(trials)).contains(trials.get(2));
    assertThat(TrialResult.chosen(List.of(result(1, null), result(2, Double.NaN)))).isEmpty();
  }

  private static TrialResult result(int number, @Nullable Double loss) {
    return new TrialResult("none", number, List.of(), 10, loss);
  }
}
