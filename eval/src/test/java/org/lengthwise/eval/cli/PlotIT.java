package org.lengthwise.eval.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.training.loop.Metrics;

class PlotIT {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

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
                new Metrics.Training(step, tokens, noisy, 1e-3, 1, 5000, null, 1, 0, 0, 0.0)));
      }
      if (step % 200 == 0) {
        lines.add(mapper.writeValueAsString(new Metrics.Validation(step, tokens, loss, 1000)));
      }
    }
    Files.createDirectories(folder.resolve(run));
    Files.write(folder.resolve(run).resolve("metrics.jsonl"), lines);
  }

  private int plot(String output, String... options) {
    List<String> arguments = new ArrayList<>(List.of("plot", "--metrics"));
    arguments.add(folder.resolve("alibi").toString());
    arguments.add(folder.resolve("none").toString());
    arguments.add("--output=" + folder.resolve(output));
    arguments.addAll(List.of(options));
    return Lengthwise.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }

  private String svg(String output) throws IOException {
    return Files.readString(folder.resolve(output).resolve("loss.svg"));
  }

  @Test
  void everyOptionDrawsItsOwnPlotAndAgainTheSame() throws IOException {
    assertThat(plot("steps")).isZero();
    assertThat(out.toString()).contains("loss.svg", "loss.png");
    BufferedImage picture = ImageIO.read(folder.resolve("steps/loss.png").toFile());
    assertThat(picture.getWidth()).isGreaterThan(picture.getHeight());
    assertThat(plot("again")).isZero();
    assertThat(svg("again")).isEqualTo(svg("steps"));
    assertThat(plot("tokens", "--against=tokens")).isZero();
    assertThat(plot("log", "--log-x", "--log-y")).isZero();
    assertThat(plot("raw", "--smoothing=0")).isZero();
    assertThat(List.of(svg("steps"), svg("tokens"), svg("log"), svg("raw")))
        .doesNotHaveDuplicates();
  }

  @Test
  void aLineThatIsStillBeingWrittenIsLeftOut() throws IOException {
    assertThat(plot("whole")).isZero();
    Files.writeString(
        folder.resolve("none/metrics.jsonl"), "{\"kind\":\"trai", StandardOpenOption.APPEND);
    assertThat(plot("growing")).isZero();
    assertThat(svg("growing")).isEqualTo(svg("whole"));
  }

  @Test
  void mistakesEndInTheirExitCode() throws IOException {
    assertThat(plot("nothing", "--smoothing=1")).isEqualTo(2);
    assertThat(err.toString()).contains("--smoothing: expected at least 0 and less than 1");
    assertThat(plot("nothing", "--against=hours")).isEqualTo(2);
    Files.writeString(
        folder.resolve("none/metrics.jsonl"), "{\"kind\":\"other\"}\n", StandardOpenOption.APPEND);
    assertThat(plot("nothing")).isEqualTo(3);
    assertThat(err.toString()).contains("metrics.jsonl:107: expected a line of metrics");
    Files.delete(folder.resolve("none/metrics.jsonl"));
    assertThat(plot("nothing")).isEqualTo(2);
    assertThat(folder.resolve("nothing")).doesNotExist();
  }
}
