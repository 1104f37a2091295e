package org.lengthwise.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.error.ConfigException;
import org.lengthwise.random.RandomStreams;

/**
 * A random search for settings (Bergstra and Bengio 2012), the same for every column in every
 * block: settings are drawn for each trial, a run is trained with them, and the trial with the
 * lowest validation loss at its end sets the keys of the runs that are measured. Of equal losses
 * the first one counts. A trial that diverges is never chosen.
 *
 * @param trials the number of trials for each column; the first ones are the same for any number
 * @param seed the seed of the draws and of the trainings of trials, other than the seeds of runs.
 *     Trials of one number have equal settings in all columns
 * @param space what is drawn by key path, such as {@code optimizer.learning_rate}: a list of
 *     values, {@code {uniform: [low, high]}} or {@code {log_uniform: [low, high]}}. Drawn numbers
 *     have three significant digits.
 * @param trial values by key path that only trials have, such as fewer {@code training.steps}
 */
record SearchConfig(int trials, long seed, ObjectNode space, @AbsentMeans("{}") ObjectNode trial) {
  private static final String UNIFORM = "uniform";
  private static final String LOG_UNIFORM = "log_uniform";
  private static final List<String> OF_RUNS = List.of("name", "seed", "start", "experiment");
  private static final List<String> TOKENS =
      List.of("training.steps", "training.batch", "training.length");
  private static final MathContext DIGITS = new MathContext(3);

  SearchConfig {
    Checks.atLeast("trials", trials, 1);
    Checks.require(!space.isEmpty(), "space", "at least one key path", space);
    for (Map.Entry<String, JsonNode> drawn : space.properties()) {
      requireSetting("space", drawn.getKey());
      Checks.require(
          isChoice(drawn.getValue()) || isRange(drawn.getValue()),
          "space." + drawn.getKey(),
          "a list of values, {uniform: [low, high]} or {log_uniform: [low, high]}, with low < high,"
              + " and low above 0 for log_uniform",
          drawn.getValue());
    }
    for (Map.Entry<String, JsonNode> value : trial.properties()) {
      requireSetting("trial", value.getKey());
      Checks.require(
          value.getValue().isValueNode(),
          "trial." + value.getKey(),
          "a value; a key below another one is written as a path, such as training.steps",
          value.getValue());
    }
  }

  private static void requireSetting(String section, String path) {
    Checks.require(
        !OF_RUNS.contains(path.split("\\.", 2)[0]),
        section + "." + path,
        "a setting of a training; " + String.join(", ", OF_RUNS) + " belong to runs",
        path);
  }

  /** Whether runs read as many tokens as the chosen trial says. */
  boolean drawsTokens() {
    return space.properties().stream()
        .map(drawn -> drawn.getKey() + ".")
        .anyMatch(key -> TOKENS.stream().anyMatch(path -> (path + ".").startsWith(key)));
  }

  private static boolean isChoice(JsonNode drawn) {
    return drawn.isArray() && !drawn.isEmpty();
  }

  private static boolean isRange(JsonNode drawn) {
    JsonNode range = drawn.has(UNIFORM) ? drawn.path(UNIFORM) : drawn.path(LOG_UNIFORM);
    return drawn.size() == 1
        && range.size() == 2
        && range.path(0).isNumber()
        && range.path(1).isNumber()
        && range.path(0).doubleValue() < range.path(1).doubleValue()
        && (drawn.has(UNIFORM) || range.path(0).doubleValue() > 0);
  }

  /**
   * Requires that no setting names what is drawn, because the drawn value would replace it.
   *
   * @param settings {@code key.path=value}
   */
  void requireNotDrawn(List<String> settings) {
    for (String setting : settings) {
      String path = setting.substring(0, setting.indexOf('=')) + ".";
      for (Map.Entry<String, JsonNode> drawn : space.properties()) {
        String key = drawn.getKey() + ".";
        if (path.startsWith(key) || key.startsWith(path)) {
          throw new ConfigException(
              "--set " + setting,
              "a key that experiment.search.space does not draw",
              drawn.getKey() + ", which it draws",
              "change the space in the file, or remove the search");
        }
      }
    }
  }

  /** The settings {@code key.path=value} that only trials have. */
  List<String> ofTrials() {
    return trial.properties().stream()
        .map(value -> value.getKey() + "=" + value.getValue().asText())
        .toList();
  }

  /** The drawn settings {@code key.path=value} of a trial, numbered from 1. */
  List<String> drawn(int number) {
    RandomStreams streams = new RandomStreams(seed);
    return space.properties().stream()
        .map(
            drawn -> {
              Random random = streams.stream("search/" + number + "/" + drawn.getKey());
              return drawn.getKey() + "=" + value(drawn.getValue(), random);
            })
        .toList();
  }

  private static String value(JsonNode drawn, Random random) {
    if (drawn.isArray()) {
      JsonNode value = drawn.get(random.nextInt(drawn.size()));
      return value.isValueNode() ? value.asText() : value.toString();
    }
    return drawn.has(UNIFORM)
        ? number(drawn.path(UNIFORM), x -> x, x -> x, random)
        : number(drawn.path(LOG_UNIFORM), Math::log, Math::exp, random);
  }

  private static String number(
      JsonNode range, DoubleUnaryOperator scale, DoubleUnaryOperator back, Random random) {
    double low = scale.applyAsDouble(range.path(0).doubleValue());
    double high = scale.applyAsDouble(range.path(1).doubleValue());
    double value = back.applyAsDouble(low + (high - low) * random.nextDouble());
    return new BigDecimal(value)
        .round(DIGITS)
        .max(range.path(0).decimalValue())
        .min(range.path(1).decimalValue())
        .toPlainString();
  }
}
