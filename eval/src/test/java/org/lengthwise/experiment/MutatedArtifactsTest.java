package org.lengthwise.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.Mutants;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.report.training.RunMetrics;
import org.lengthwise.result.ResultFile;

/** Damaged results, metrics and experiment files give values and named errors, and nothing else. */
class MutatedArtifactsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String METRICS =
      """
      {"kind":"training","step":10,"tokens":5120,"loss":5.2,"learning_rate":0.001,\
      "gradient_norm":1.1,"tokens_per_second":900.0,"mfu":null,"step_seconds":0.5,\
      "data_wait_seconds":0.0,"exchange_seconds":0.0,"checkpoint_wait_seconds":0.0,\
      "bias_range":null}
      {"kind":"validation","step":10,"tokens":5120,"metric":"nll","loss":5.1,"count":64}
      """;

  private final Path folder;

  MutatedArtifactsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Reads a file of a folder. */
  @FunctionalInterface
  private interface Reader {
    void read(Path folder) throws IOException;
  }

  @Test
  void damageIsNeverABug() throws IOException {
    damage(60);
  }

  @Test
  @Tag("acceptance")
  void moreDamageIsNeverABug() throws IOException {
    damage(4000);
  }

  private void damage(int numMutants) throws IOException {
    damage("results.jsonl", lines("results"), ResultFile.EVALUATIONS::values, numMutants);
    damage("accuracy.jsonl", lines("accuracy"), ResultFile.ACCURACIES::values, numMutants);
    damage("metrics.jsonl", METRICS.getBytes(UTF_8), RunMetrics::read, numMutants);
    for (String name : List.of("table3-small", "scoreboard", "quickstart")) {
      byte[] file = Files.readAllBytes(ROOT.resolve("conf/experiments/" + name + ".yaml"));
      byte[] absolute =
          new String(file, UTF_8).replace("../", ROOT.resolve("conf") + "/").getBytes(UTF_8);
      damage("experiment.yaml", absolute, MutatedArtifactsTest::experiment, numMutants);
    }
  }

  private static void experiment(Path folder) {
    ExperimentConfig.of(ConfigLoader.load(folder.resolve("experiment.yaml"), List.of()));
  }

  private void damage(String name, byte[] content, Reader reader, int numMutants)
      throws IOException {
    Files.write(folder.resolve(name), content);
    reader.read(folder);
    for (int seed = 0; seed < numMutants; seed++) {
      Path file = Files.write(folder.resolve(name), Mutants.of(content, seed));
      try {
        reader.read(folder);
      } catch (DataFormatException | ConfigException e) {
        assertThat(e).as("seed %s", seed).hasMessageMatching("(?s).{10,}: expected .*");
      } catch (IOException | RuntimeException | Error e) {
        throw new AssertionError("seed %s of %s".formatted(seed, file), e);
      }
    }
  }

  /** The first lines of published results. */
  private static byte[] lines(String name) throws IOException {
    Path file = ROOT.resolve("docs/results/scoreboard/" + name + ".jsonl.gz");
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), UTF_8))) {
      return in.lines().limit(2).collect(Collectors.joining("\n", "", "\n")).getBytes(UTF_8);
    }
  }
}
