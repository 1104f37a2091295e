package org.lengthwise.measure.recall;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonProperty.Access;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.TestTemperature;

/**
 * How models of recall tasks are measured, as in conf/recall.yaml.
 *
 * @param samples the number of strings of each length
 * @param learnedSamples the number of fresh strings that decide whether the task is learned: of all
 *     training lengths, and again of the longest
 * @param vary lists of values by the key of the task, such as {@code a}; each combination is
 *     measured
 * @param seed the seed of the strings
 * @param positionScaling how positions beyond the training length are scaled, as for perplexities
 * @param temperature what scores are multiplied by, as for perplexities
 */
public record RecallTests(
    @Unit("strings") int samples,
    @AbsentMeans("2560") @Unit("strings") int learnedSamples,
    @AbsentMeans("{}") ObjectNode vary,
    long seed,
    @AbsentMeans("[\"none\"]") @JsonProperty(value = "position_scaling", access = Access.WRITE_ONLY)
        List<PositionScaling> positionScaling,
    @AbsentMeans("[\"none\"]") @JsonProperty(value = "temperature", access = Access.WRITE_ONLY)
        List<TestTemperature> temperature,
    @JsonUnwrapped MeasurementSettings settings) {

  /** Requires positive numbers, values for each varied key, and different changes. */
  public RecallTests {
    Checks.atLeast("samples", samples, 1);
    Checks.atLeast("learned_samples", learnedSamples, 1);
    for (Map.Entry<String, JsonNode> values : vary.properties()) {
      Checks.require(
          values.getValue().isArray() && !values.getValue().isEmpty(),
          "vary",
          "a list of values for " + values.getKey(),
          values.getValue());
    }
    positionScaling = Checks.distinct("position_scaling", positionScaling);
    temperature = Checks.distinct("temperature", temperature);
  }

  /** {@return the changes under which each model is measured, if it allows them} */
  List<PositionChange> changes() {
    return PositionChange.all(positionScaling, temperature);
  }

  /** Each combination of the varied values; the first key changes slowest. */
  List<ObjectNode> combinations() {
    List<ObjectNode> all = List.of(JsonNodeFactory.instance.objectNode());
    for (Map.Entry<String, JsonNode> varied : vary.properties()) {
      List<ObjectNode> longer = new ArrayList<>();
      for (ObjectNode before : all) {
        varied
            .getValue()
            .forEach(value -> longer.add(before.deepCopy().set(varied.getKey(), value)));
      }
      all = longer;
    }
    return all;
  }
}
