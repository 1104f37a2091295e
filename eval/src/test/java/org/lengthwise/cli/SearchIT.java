package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.TrialResult;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunFolder;

/** An experiment with a random search, from trials to report. */
class SearchIT {
  private static final int TRIALS = 3;

  @TempDir private static Path folder;
  private static TinyExperiment tiny;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void prepareShards() throws IOException {
    tiny = new TinyExperiment(folder);
    tiny.writeExperiment("[1, 2]", "none", "alibi");
    Files.writeString(
        tiny.resolve("experiment.yaml"),
        """
          search:
            trials: %s
            seed: 3
            space:
              optimizer.learning_rate: {log_uniform: [1.0e-4, 1.0e-1]}
            trial: {training.steps: 3}
        """
            .formatted(TRIALS),
        StandardOpenOption.APPEND);
  }

  private static List<TrialResult> results(String output) throws IOException {
    return results(output, List.of("none", "alibi"));
  }

  private static List<TrialResult> results(String output, List<String> runs) throws IOException {
    List<TrialResult> all = new ArrayList<>();
    for (String run : runs) {
      for (int trial = 1; trial <= TRIALS; trial++) {
        all.addAll(
            ResultFile.TRIALS.values(
                tiny.resolve("%s/runs/search/%s-trial%s".formatted(output, run, trial))));
      }
    }
    return all;
  }

  private static double rate(String output, String run) throws IOException {
    Path folder = tiny.resolve(output).resolve("runs").resolve(run);
    return Checkpoint.described(new RunFolder(folder).newest().orElseThrow())
        .run()
        .config()
        .optimizer()
        .learningRate();
  }

  @Test
  void runsAreTrainedWithTheBestTrial() throws IOException {
    commands.run(tiny.experiment("searched", "--queue=none"));
    List<TrialResult> results = results("searched");
    assertThat(results).hasSize(2 * TRIALS).allMatch(one -> one.steps() == 3 && one.loss() != null);
    for (String run : List.of("none", "alibi")) {
      TrialResult best =
          TrialResult.chosen(results.stream().filter(one -> one.run().equals(run)).toList())
              .orElseThrow();
      double rate = Double.parseDouble(best.settings().get(0).split("=", 2)[1]);
      assertThat(rate("searched", run + "-seed1")).isEqualTo(rate);
      assertThat(rate("searched", run + "-seed2")).isEqualTo(rate);
      assertThat(Files.readString(tiny.resolve("searched/report/search.csv")))
          .contains("%s,%s,*,3,".formatted(run, best.trial()))
          .hasLineCount(1 + 2 * TRIALS);
    }
    assertThat(Files.readString(tiny.resolve("searched/report/report.html")))
        .contains("lowest validation loss after its last step");

    // Trials of another model do not choose.
    String[] wider = {"--only=none-seed9", "--set=experiment.seeds=[9]", "--set=model.width=32"};
    assertThat(commands.fail(2, tiny.experiment("searched", wider)))
        .contains("trials/none-trial1", "a checkpoint of the same configuration", "model.width");

    // Side by side, and in two calls, the trials and the choice are the same.
    commands.run(tiny.experiment("parts", "--only=none-trial1,alibi-trial2"));
    assertThat(commands.fail(2, tiny.experiment("parts", "--only=none-seed1")))
        .contains("none-trial2 is not finished");
    commands.run(tiny.experiment("parts", "--queue=cpu:2"));
    assertThat(results("parts")).isEqualTo(results);
    assertThat(Files.readString(tiny.resolve("parts/report/table.csv")))
        .isEqualTo(Files.readString(tiny.resolve("searched/report/table.csv")));

    assertThat(
            commands.fail(
                2, tiny.experiment("parts", "--queue=none", "--set=experiment.search.seed=5")))
        .contains("a checkpoint of the same configuration and data", "learning_rate");
  }

  @Test
  void aTrialThatDivergesIsNotChosen() throws IOException {
    commands.run(
        tiny.experiment(
            "diverged",
            "--queue=none",
            "--only=none-seed1,none-trial1,none-trial2,none-trial3",
            "--set=experiment.search.seed=4",
            "--set=experiment.search.space={optimizer.learning_rate: [1.0e-3, 10]}",
            "--set=training.guard={window: 1, jump: 1.5, action: stop}"));
    assertThat(results("diverged", List.of("none")))
        .extracting(one -> one.loss() == null)
        .contains(true, false)
        .isEqualTo(
            results("diverged", List.of("none")).stream()
                .map(one -> one.settings().contains("optimizer.learning_rate=10"))
                .toList());
    assertThat(rate("diverged", "none-seed1")).isEqualTo(1e-3);
  }
}
