package org.lengthwise.eval.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.eval.perplexity.EvaluationConfig;
import picocli.CommandLine.Option;

/** The options by which measurements are configured. */
final class EvaluationOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "How to measure; conf/evaluate.yaml unless named.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one key, such as seed=7 or device=gpu:0; may be repeated.")
  private List<String> settings = List.of();

  @Option(
      names = "--position-scaling",
      split = ",",
      paramLabel = "NAME",
      description = {
        "How RoPE's positions beyond the training length are scaled: none, interpolation, ntk or",
        "yarn; score takes one, others several. The same as --set position_scaling=[NAME,...]."
      })
  private List<String> positionScaling = List.of();

  EvaluationConfig resolve() {
    return resolve(List.of());
  }

  /** The configuration, with the settings that a command's own options stand for. */
  EvaluationConfig resolve(List<String> ofCommand) {
    List<String> all = new ArrayList<>(settings);
    all.addAll(ofCommand);
    if (!positionScaling.isEmpty()) {
      all.add("position_scaling=[" + String.join(", ", positionScaling) + "]");
    }
    Path file = config == null ? Installation.conf("evaluate.yaml") : config;
    return ConfigLoader.load(file, all).bind(EvaluationConfig.class);
  }
}
