package org.lengthwise.training.loop;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.lengthwise.dataprep.config.ConfigLoader;

/**
 * Lines of a metrics file.
 *
 * <p>A key of {@link Metrics.Training} that came later may be missing in a line of an earlier
 * release, and reads as null: {@code checkpoint_wait_seconds}. All others must be there.
 */
public final class MetricsFormat {
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();
  private static final String ADDED_LATER = "checkpoint_wait_seconds";

  private MetricsFormat() {}

  /**
   * Reads a line.
   *
   * @param line the line, without its end
   * @return what it says
   * @throws JsonProcessingException if it is no line of metrics
   */
  public static Metrics parse(String line) throws JsonProcessingException {
    ObjectNode keys = MAPPER.readValue(line, ObjectNode.class);
    if (keys.path("kind").asText().equals("training") && !keys.has(ADDED_LATER)) {
      keys.putNull(ADDED_LATER);
    }
    return MAPPER.treeToValue(keys, Metrics.class);
  }

  /** A line as a tree of its keys. */
  static JsonNode tree(Metrics metrics) {
    return MAPPER.valueToTree(metrics);
  }
}
