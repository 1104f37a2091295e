package org.lengthwise.training.loop;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.tensorboard.EventFile;

/**
 * A run's metrics as JSON lines, each written whole before the run goes on; and, if that is asked
 * for, the same as TensorBoard's events beside it, each number under the tag {@code kind/key}.
 */
final class MetricsFile implements AutoCloseable {
  private static final String ROLL_BACK_TAGS = "roll-back/";

  private final FileChannel channel;
  private final OutputStream out;
  private final @Nullable EventFile events;

  private MetricsFile(FileChannel channel, @Nullable EventFile events) {
    this.channel = channel;
    this.out = Channels.newOutputStream(channel);
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
   * @throws DataFormatException if a line before the last is none of metrics
   */
  static MetricsFile resume(RunFolder folder, TrainState state, boolean tensorboard)
      throws IOException {
    Path file = folder.metrics();
    if (state.step() == 0) {
      Files.deleteIfExists(file);
    } else if (Files.exists(file)) {
      byte[] kept = kept(file, state).getBytes(StandardCharsets.UTF_8);
      AtomicFile.write(file, content -> content.write(kept));
    }
    EventFile events = tensorboard ? resumeEvents(folder.events(), state) : null;
    return new MetricsFile(
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
        events);
  }

  private static EventFile resumeEvents(Path file, TrainState state) throws IOException {
    return EventFile.resume(
        file,
        state.step(),
        tag -> knowsRollBacks(state) || !tag.startsWith(ROLL_BACK_TAGS),
        Clock.systemUTC());
  }

  private static boolean knowsRollBacks(TrainState state) {
    return state.guard().numRollBacks() > 0;
  }

  /** The lines that are part of what led to a state. */
  private static String kept(Path file, TrainState state) throws IOException {
    // Undecodable bytes, as a cut line may have, become characters that no JSON has there.
    List<String> lines =
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    StringBuilder kept = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      try {
        if (isPartOf(state, MetricsFormat.parse(lines.get(i)))) {
          kept.append(lines.get(i)).append('\n');
        }
      } catch (JsonProcessingException e) {
        if (i < lines.size() - 1) { // the last line of a killed run may be cut short
          throw new DataFormatException(
              file + ":" + (i + 1),
              "a line of metrics, as this release writes them",
              e.getOriginalMessage(),
              "mend or remove the line, then go on with --resume",
              e);
        }
      }
    }
    return kept.toString();
  }

  private static boolean isPartOf(TrainState state, Metrics metrics) {
    return metrics.step() <= state.step()
        && (!(metrics instanceof Metrics.RollBack) || knowsRollBacks(state));
  }

  void write(Metrics metrics) throws IOException {
    JsonNode line = MetricsFormat.tree(metrics);
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8)); // unbuffered: one call, one line
    if (events != null) {
      events.write(metrics.step(), scalars(line));
    }
  }

  /** Returns when all is on the disk: a checkpoint shall never know of more than is there. */
  void force() throws IOException {
    channel.force(true);
    if (events != null) {
      events.force();
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
      out.close(); // and the channel with it
    } finally {
      if (events != null) {
        events.close();
      }
    }
  }
}
