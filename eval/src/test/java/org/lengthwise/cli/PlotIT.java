package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.training.loop.Metrics;

class PlotIT {
  @TempDir private Path folder;

  private final CommandRunner commands = new CommandRunner();

  @BeforeEach
  void writeMetricsOfTwoRuns() throws IOException {
    write("alibi", 1.5);
    write("none", 2.0);
  }

  private void write(String run, double floor) throws IOException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    List<String> lines = new ArrayList<>();
    for (int step = 0; step <= 1000; step += 10) {
      long tokens = 16_384L * step;
      double loss = floor + 4 * Math.exp(-step / 150.0);
      if (step > 0) {
        double noisy = loss + 0.2 * Math.sin(step);
        lines.add(
            mapper.writeValueAsString(
                new Metrics.Training(
                    step, tokens, noisy, 1e-3, 1, 5000, null, 1, 0, 0, 0.0, null)));
      }
      if (step % 200 == 0) {
        lines.add(
            mapper.writeValueAsString(new Metrics.Validation(step, tokens, "nll", loss, 1000)));
      }
    }
    Files.createDirectories(folder.resolve(run));
    Files.write(folder.resolve(run).resolve("metrics.jsonl"), lines);
  }

  private String[] plot(String output, String... options) {
    List<String> words = new ArrayList<>(List.of("plot", "--metrics"));
    words.add(folder.resolve("alibi").toString());
    words.add(folder.resolve("none").toString());
    words.add("--output=" + folder.resolve(output));
    words.addAll(List.of(options));
    return words.toArray(String[]::new);
  }

  private String svg(String output) throws IOException {
    return Files.readString(folder.resolve(output).resolve("loss.svg"));
  }

  @Test
  void everyOptionChangesThePlotAndARepetitionDoesNot() throws IOException {
    assertThat(commands.run(plot("steps"))).contains("loss.svg", "loss.png");
    BufferedImage picture = ImageIO.read(folder.resolve("steps/loss.png").toFile());
    assertThat(picture.getWidth()).isGreaterThan(picture.getHeight());
    commands.run(plot("again"));
    assertThat(svg("again")).isEqualTo(svg("steps"));
    commands.run(plot("tokens", "--against=tokens"));
    commands.run(plot("log", "--log-x", "--log-y"));
    commands.run(plot("raw", "--smoothing=0"));
    assertThat(List.of(svg("steps"), svg("tokens"), svg("log"), svg("raw")))
        .doesNotHaveDuplicates();
  }

  @Test
  void anUnfinishedLastLineIsSkipped() throws IOException {
    commands.run(plot("whole"));
    Files.writeString(
        folder.resolve("none/metrics.jsonl"), "{\"kind\":\"trai", StandardOpenOption.APPEND);
    commands.run(plot("growing"));
    assertThat(svg("growing")).isEqualTo(svg("whole"));
  }

  @Test
  void wrongOptionsAndBadMetricsEndWithTheirExitCode() throws IOException {
    assertThat(commands.fail(2, plot("nothing", "--smoothing=1")))
        .contains("--smoothing: expected at least 0 and less than 1");
    commands.fail(2, plot("nothing", "--against=hours"));
    Files.writeString(
        folder.resolve("none/metrics.jsonl"), "{\"kind\":\"other\"}\n", StandardOpenOption.APPEND);
    assertThat(commands.fail(3, plot("nothing")))
        .contains("metrics.jsonl:107: expected a line of metrics");
    Files.delete(folder.resolve("none/metrics.jsonl"));
    commands.fail(2, plot("nothing"));
    assertThat(folder.resolve("nothing")).doesNotExist();
  }
}
