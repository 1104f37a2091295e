package org.lengthwise.training.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.DivergenceException;
import org.lengthwise.training.loop.Trainer;

/** Runs whose loss jumps. */
class DivergenceIT {
  private static final String[] DIVERGING = {
    "optimizer.learning_rate=2",
    "optimizer.warmup_fraction=1",
    "training.checkpoint.interval=4",
    "training.guard.window=4",
    "training.guard.jump=1.5"
  };
  private static final String BACK = "training.guard.action=roll-back";
  private static final String LOWER = "training.guard.learning_rate_factor=1.0e-4";

  private static TrainingFolder folder;

  @BeforeAll
  static void writeDataAndAConfiguration(@TempDir Path path) throws IOException {
    folder = TrainingFolder.ofFortySteps(path);
  }

  private static String[] diverging(String... more) {
    return Stream.concat(Stream.of(DIVERGING), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void lossThatJumpsStopsTheRun() {
    assertThatThrownBy(() -> folder.advance("stopped", diverging()))
        .isInstanceOf(DivergenceException.class)
        .hasMessageContaining("more than 1.5 times the median")
        .hasMessageContaining("at learning rate ")
        .hasMessageContaining("the last good checkpoint is " + folder.run("stopped").path())
        .hasMessageContaining("--resume --set " + BACK);
  }

  @Test
  void adviceOfADivergenceLetsTheRunFinish() throws IOException {
    String[] advice = new String[1];
    assertThatThrownBy(() -> folder.advance("advised", diverging(LOWER)))
        .isInstanceOfSatisfying(
            DivergenceException.class,
            e -> advice[0] = between(String.valueOf(e.getMessage()), " --set ", " "));
    Trainer.Result outcome = folder.advance("advised", diverging(LOWER, advice[0]));
    assertThat(outcome.isFinished()).isTrue();
    assertThat(Checkpoint.open(outcome.checkpoint()).state().guard().numRollBacks()).isEqualTo(1);
  }

  private static String between(String text, String before, String after) {
    int begin = text.indexOf(before) + before.length();
    return text.substring(begin, text.indexOf(after, begin));
  }

  @Test
  void lossThatJumpsRollsTheRunBackOnce() throws IOException {
    Trainer.Result outcome = folder.advance("back", diverging(BACK, LOWER));
    assertThat(outcome.isFinished()).isTrue();
    assertThat(Checkpoint.open(outcome.checkpoint()).state().guard().numRollBacks()).isEqualTo(1);
    List<String> metrics = Files.readAllLines(folder.run("back").metrics());
    assertThat(metrics).filteredOn(line -> line.contains("\"kind\":\"roll-back\"")).hasSize(1);
    assertThat(metrics.get(metrics.size() - 2)).contains("\"learning_rate\":2.0E-4");
  }

  /** Between a roll-back and the next checkpoint only the metrics record it. */
  @Test
  void runKilledSoonAfterItsRollBackRollsBackAgain() throws IOException {
    TrainingConfig config = folder.config(diverging(BACK, LOWER));
    RunFolder whole = folder.run("undisturbed");
    RunFolder ended = folder.run("ended");
    BooleanSupplier failure =
        () -> {
          if (readMetrics(ended).contains("roll-back")) {
            throw new IllegalStateException("the power fails");
          }
          return false;
        };
    folder.advance("undisturbed", config, () -> false);
    assertThatThrownBy(() -> folder.advance("ended", config, failure))
        .hasMessage("the power fails");
    folder.advance("ended", config, () -> false);
    assertThat(readMetrics(ended)).containsOnlyOnce("roll-back");
    assertThat(ended.checkpoint(40).resolve("state.json"))
        .hasSameBinaryContentAs(whole.checkpoint(40).resolve("state.json"));
  }

  private static String readMetrics(RunFolder run) {
    try {
      return Files.readString(run.metrics());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void runThatDivergesAgainAfterItsRollBackStops() {
    String[] settings = diverging(BACK, "training.guard.learning_rate_factor=1.0");
    assertThatThrownBy(() -> folder.advance("twice", settings))
        .isInstanceOf(DivergenceException.class)
        .hasMessageContaining("start again in another folder");
    assertThat(folder.run("twice").metrics()).content().containsOnlyOnce("roll-back");
  }
}
