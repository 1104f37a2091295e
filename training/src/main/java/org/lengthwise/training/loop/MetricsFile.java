package org.lengthwise.training.loop;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.tensorboard.EventFile;

/**
 * A run's metrics as JSON lines. Each line is complete when {@link #write} returns. Optionally the
 * same numbers go to a TensorBoard event file, under the tag {@code kind/key}.
 */
public final class MetricsFile implements AutoCloseable {
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();
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
   * Opens the file of a run that resumes from a state. Lines of later steps are removed, since
   * these steps run again. A roll-back that the state does not include is removed as well.
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

  private static String kept(Path file, TrainState state) throws IOException {
    // A truncated line may end inside a character. It becomes U+FFFD, and the JSON is invalid.
    List<String> lines =
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    StringBuilder kept = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      try {
        if (isPartOf(state, parse(lines.get(i)))) {
          kept.append(lines.get(i)).append('\n');
        }
      } catch (JsonProcessingException e) {
        if (i < lines.size() - 1) { // a killed run may leave a truncated last line
          throw new DataFormatException(
              file + ":" + (i + 1),
              "a line of metrics, as Lengthwise writes it",
              e.getOriginalMessage(),
              "repair or remove the line, then resume with --resume",
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

  public static Metrics parse(String line) throws JsonProcessingException {
    return MAPPER.readValue(line, Metrics.class);
  }

  void write(Metrics metrics) throws IOException {
    JsonNode line = MAPPER.valueToTree(metrics);
    out.write(
        (line + "\n").getBytes(StandardCharsets.UTF_8)); // unbuffered: one call writes one line
    if (events != null) {
      events.write(metrics.step(), scalars(line));
    }
  }

  /** Returns when all lines are on the disk. A checkpoint appears only after its lines. */
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
      out.close(); // also closes the channel
    } finally {
      if (events != null) {
        events.close();
      }
    }
  }
}
