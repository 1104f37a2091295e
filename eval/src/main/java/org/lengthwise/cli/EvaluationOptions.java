package org.lengthwise.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import picocli.CommandLine.Option;

final class EvaluationOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The settings of the measurement. Default: conf/evaluate.yaml; evaluate has"
              + " conf/accuracy.yaml for classifiers of strings, conf/recall.yaml for recall tasks, and"
              + " conf/answers.yaml and conf/passkey.yaml for --protocol answers and passkey.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one key, such as seed=7. May be repeated.")
  private List<String> settings = List.of();

  @Option(
      names = "--position-scaling",
      split = ",",
      paramLabel = "NAME",
      description =
          "Scales RoPE's positions beyond the training length, but not in windows within it: none,"
              + " interpolation (or linear), ntk or yarn. A name with a factor, such as yarn:4 or"
              + " dynamic:4, scales by it at every length. The command score accepts one name, other"
              + " commands accept several. Same as --set position_scaling=[NAME,...].")
  private List<String> positionScaling = List.of();

  @Option(
      names = "--temperature",
      split = ",",
      paramLabel = "NAME",
      description =
          "Multiplies scores by a function of the number of keys: none, log-length, log or floor. A"
              + " name with an offset, such as log:100, adds it to the number. The command score"
              + " accepts one name, other commands accept several. Same as --set"
              + " temperature=[NAME,...].")
  private List<String> temperature = List.of();

  EvaluationConfig resolve() {
    return resolve(List.of());
  }

  EvaluationConfig resolve(List<String> ofCommand) {
    return bind("evaluate.yaml", EvaluationConfig.class, ofCommand);
  }

  /**
   * The configuration of a measurement.
   *
   * @param standard its file in conf, unless another one is named
   */
  <T> T bind(String standard, Class<T> type, List<String> ofCommand) {
    List<String> all = new ArrayList<>(settings);
    all.addAll(ofCommand);
    if (!positionScaling.isEmpty()) {
      all.add("position_scaling=[" + String.join(", ", positionScaling) + "]");
    }
    if (!temperature.isEmpty()) {
      all.add("temperature=[" + String.join(", ", temperature) + "]");
    }
    return ConfigLoader.load(config == null ? Installation.conf(standard) : config, all).bind(type);
  }

  void requireNoChange(String what) {
    requireNone("--position-scaling", positionScaling, what);
    requireNone("--temperature", temperature, what);
  }

  static void requireNone(String option, List<?> values, String what) {
    if (!values.isEmpty()) {
      throw new ConfigException(option, "none for " + what, values.toString(), "omit the option");
    }
  }
}
