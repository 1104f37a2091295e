package org.lengthwise.training.loop;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.tensorboard.EventFile;

/**
 * A run's metrics as JSON lines, each written whole before the run goes on; and, if that is asked
 * for, the same as TensorBoard's events beside it, each number under the tag {@code kind/key}.
 */
final class MetricsFile implements AutoCloseable {
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  private final BufferedWriter writer;
  private final @Nullable EventFile events;

  private MetricsFile(BufferedWriter writer, @Nullable EventFile events) {
    this.writer = writer;
    this.events = events;
  }

  /**
   * Opens the file of a run that goes on from a state: what an interrupted attempt wrote beyond it
   * is dropped, for those steps will be made again. So is a roll-back to this step that no
   * checkpoint knows of yet.
   *
   * @param folder the run's folder
   * @param state how far the run has come
   * @param tensorboard whether events are written as well
   */
  static MetricsFile resume(RunFolder folder, TrainState state, boolean tensorboard)
      throws IOException {
    long step = state.step();
    Path file = folder.metrics();
    if (step == 0) {
      Files.deleteIfExists(file);
    } else if (Files.exists(file)) {
      List<String> kept = new ArrayList<>();
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        if (isPartOf(state, line)) {
          kept.add(line + "\n");
        }
      }
      AtomicFile.write(
          file, out -> out.write(String.join("", kept).getBytes(StandardCharsets.UTF_8)));
    }
    return new MetricsFile(
        Files.newBufferedWriter(
            file,
            StandardCharsets.UTF_8,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND),
        tensorboard ? EventFile.resume(folder.events(), step, Clock.systemUTC()) : null);
  }

  private static boolean isPartOf(TrainState state, String line) {
    try {
      Metrics metrics = MAPPER.readValue(line, Metrics.class);
      return metrics.step() <= state.step()
          && (!(metrics instanceof Metrics.RollBack) || state.guard().numRollBacks() > 0);
    } catch (JsonProcessingException e) {
      return false; // the last line of a killed run may be cut short
    }
  }

  void write(Metrics metrics) throws IOException {
    writer.write(MAPPER.writeValueAsString(metrics));
    writer.write('\n');
    writer.flush();
    if (events != null) {
      events.write(metrics.step(), scalars(MAPPER.valueToTree(metrics)));
    }
  }

  private static Map<String, Double> scalars(JsonNode line) {
    Map<String, Double> scalars = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : line.properties()) {
      if (field.getValue().isNumber() && !field.getKey().equals("step")) {
        String tag = line.get("kind").textValue() + "/" + field.getKey();
        scalars.put(tag, field.getValue().doubleValue());
      }
    }
    return scalars;
  }

  @Override
  public void close() throws IOException {
    try {
      writer.close();
    } finally {
      if (events != null) {
        events.close();
      }
    }
  }
}
