package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.StartConfig;

/** Columns of an experiment that start from others. */
class StagesIT {
  @TempDir private static Path folder;
  private static TinyExperiment tiny;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void prepare() throws IOException {
    tiny = new TinyExperiment(folder);
    tiny.writeExperiment("[1]", "none");
  }

  private static String[] experiment(String output, String queue, String... more) {
    String columns =
        "--set=experiment.columns=[{name: rope, position: {scheme: rope, base: 100}},"
            + " {name: longer, from: rope, start: {scaling: linear}, training: {length: 32, steps: 3}},"
            + " {name: dropped, from: longer, position: {scheme: none}}]";
    String[] words = tiny.experiment(output, columns, queue);
    return Stream.of(words, more).flatMap(Stream::of).toArray(String[]::new);
  }

  private static Checkpoint newest(String output, String run) throws IOException {
    return RunFolder.resolve(tiny.resolve(output).resolve("runs").resolve(run));
  }

  @Test
  void stagesAreTrainedInTurnAndReportedTogether() throws IOException {
    commands.run(experiment("turn", "--queue=none"));
    commands.run(experiment("side", "--queue=cpu:2"));
    for (String run : new String[] {"rope-seed1", "longer-seed1", "dropped-seed1"}) {
      assertThat(newest("side", run).modelSha256()).isEqualTo(newest("turn", run).modelSha256());
    }
    Checkpoint longer = newest("turn", "longer-seed1");
    assertThat(longer.origin().model().position())
        .isEqualTo(new Rope(100, 1, new RopeScaling.Linear(2), null));
    assertThat(longer.run().config().stage().map(StartConfig::source))
        .get()
        .extracting(StartConfig.Source::sha256)
        .isEqualTo(newest("turn", "rope-seed1").modelSha256());
    String table = Files.readString(tiny.resolve("turn/report/table.md"));
    assertThat(table)
        .contains("RoPE 16, longer 32, dropped 32")
        .contains("the longer of its training lengths");
    String page = Files.readString(tiny.resolve("turn/report/report.html"));
    assertThat(page).contains("starts from").contains("longer at 32");
    // 6 and 3 steps of 4 sequences, of 16 and 32 tokens
    assertThat(page).contains("768");

    commands.run(experiment("turn", "--queue=none"));
    // A source that must be measured again, below finished runs.
    ArtifactFolder.delete(tiny.resolve("side/runs/rope-seed1/evaluation"));
    commands.run(experiment("side", "--queue=cpu:2"));
  }

  @Test
  void aSearchIsRefused() {
    String search = "{trials: 2, seed: 1, space: {optimizer.learning_rate: [1.0e-3, 2.0e-3]}}";
    assertThat(
            commands.fail(
                2, experiment("search", "--queue=none", "--set=experiment.search=" + search)))
        .contains("expected none, because columns start from others");
  }

  @Test
  void aSourceMustBeFinished() {
    assertThat(commands.fail(2, experiment("only", "--queue=none", "--only=longer-seed1")))
        .contains("the finished run from which longer-seed1 starts")
        .contains("--only rope-seed1,longer-seed1");
  }
}
