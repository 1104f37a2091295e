package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.result.CumulativeGradient;
import org.lengthwise.result.GradientNormsFile;
import org.lengthwise.result.ReceptiveFieldResult;
import org.lengthwise.result.ResultFile;

/** {@code receptive-field} with two checkpoints at several lengths: whole, rejected and killed. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReceptiveFieldIT {
  @TempDir private static Path folder;
  private static TinyExperiment tiny;
  private static String printed;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void trainAndMeasureTwoModels() throws IOException {
    tiny = new TinyExperiment(folder);
    tiny.train("learned", "{scheme: learned, positions: 20}");
    tiny.train("window", "{scheme: sliding-window, window: 4, within: none}");
    printed = new CommandRunner().run(measure("40,16", 5, "fields"));
  }

  private static String[] measure(String lengths, int samples, String output) {
    return new String[] {
      "receptive-field",
      tiny.checkpoint("learned"),
      tiny.checkpoint("window"),
      tiny.data(),
      "--length=" + lengths,
      "--samples=" + samples,
      tiny.option("--output", output)
    };
  }

  private static List<ReceptiveFieldResult> results() throws IOException {
    return ResultFile.RECEPTIVE_FIELDS.values(tiny.resolve("fields"));
  }

  @Test
  void eachCheckpointIsMeasuredAtTheLengthsThatItCanRead() throws IOException {
    List<ReceptiveFieldResult> results = results();
    assertThat(results)
        .extracting(result -> result.run() + " " + result.length() + " " + result.theoretical())
        .containsExactly("learned 16 16", "window 16 7", "window 40 7");
    assertThat(printed.lines())
        .hasSize(6)
        .anyMatch(line -> line.startsWith("window seed 1 at 40, untrained: of the gradient 50 %"))
        .anyMatch(line -> line.endsWith("all within 7"));
    assertThat(results.get(0).targetsSha256()).isEqualTo(results.get(1).targetsSha256());
    assertThat(results.get(2).trained().effective(0.99).high()).isLessThanOrEqualTo(7);
  }

  @Test
  void curvesFollowFromTheStoredGradients() throws IOException {
    for (ReceptiveFieldResult result : results()) {
      Path file =
          tiny.resolve(
              "fields/gradients-%s-seed1-step6-%s-trained.arrow"
                  .formatted(result.run(), result.length()));
      assertThat(CumulativeGradient.of(GradientNormsFile.read(file))).isEqualTo(result.trained());
    }
  }

  @Test
  void theSameMeasurementIsSkippedAndAnotherOneIsRejected() {
    commands.run(measure("16,40", 5, "fields"));
    assertThat(commands.fail(2, measure("16", 5, "fields"))).contains("lengths");
  }

  @Test
  void wrongOptionsAndMissingDataLeaveNothing() {
    assertThat(commands.fail(2, measure("21,40", 5, "none")))
        .contains("at most 20 positions")
        .contains("found 21 positions");
    commands.fail(2, measure("16", 1, "none"));
    commands.fail(3, measure("100000,16", 5, "none"));
    String[] twice = measure("16", 5, "none");
    twice[1] = twice[2];
    assertThat(commands.fail(2, twice)).contains("window seed 1 step 6, as in");
    assertThat(tiny.resolve("none")).doesNotExist();
  }

  @Test
  void aKilledMeasurementKeepsItsFinishedCurvesAndEndsWithTheSameFiles() throws Exception {
    String[] words = measure("8,16,40,200", 60, "killed");
    Path progress = tiny.resolve(".killed.partial/notes/progress.json");
    Process process = CommandRunner.start(tiny.resolve("log"), words);
    while (process.isAlive() && finishedCells(progress) < 2) {
      process.waitFor(2, TimeUnit.MILLISECONDS);
    }
    assertThat(process.isAlive()).as("long enough to be killed").isTrue();
    process.destroyForcibly().waitFor();
    Path kept =
        tiny.resolve(".killed.partial/content/gradients-learned-seed1-step6-8-trained.arrow");
    Object written = Files.getLastModifiedTime(kept);
    commands.fail(2, measure("8", 60, "killed"));
    commands.run(words);
    assertThat(Files.getLastModifiedTime(tiny.resolve("killed").resolve(kept.getFileName())))
        .isEqualTo(written);
    commands.run(measure("8,16,40,200", 60, "whole"));
    String[] names = tiny.resolve("whole").toFile().list();
    assertThat(tiny.resolve("killed").toFile().list()).containsExactlyInAnyOrder(names);
    for (String name : names) {
      if (!name.equals("provenance.json")) { // it names the output
        assertThat(tiny.resolve("killed").resolve(name))
            .hasSameBinaryContentAs(tiny.resolve("whole").resolve(name));
      }
    }
  }

  private static int finishedCells(Path progress) throws IOException {
    try {
      byte[] state = Files.readAllBytes(progress);
      return ConfigLoader.strictMapper().readTree(state).get("finished_cells").intValue();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }
}
