package org.lengthwise.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.MeasurementConfig.OfRun;
import org.lengthwise.measure.accuracy.Accuracy;
import org.lengthwise.measure.answers.Answers;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.measure.perplexity.ProtocolConfig;
import org.lengthwise.measure.probe.Probe;
import org.lengthwise.measure.recall.RecallTests;
import org.lengthwise.result.Protocol;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.config.TaskConfig;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class ProtocolOptions {
  /** What evaluate measures beside perplexities. */
  private enum Kind {
    LABELS("accuracy", Accuracy.class, "a classifier of strings", false),
    RECALL("recall", RecallTests.class, "a recall task", true),
    ANSWERS("answers", Answers.class, "answers", false),
    PASSKEY("passkey", Probe.class, "a passkey", true);

    private final String name;
    private final Class<? extends OfRun> type;
    private final String what;
    private final boolean hasChanges;

    Kind(String name, Class<? extends OfRun> type, String what, boolean hasChanges) {
      this.name = name;
      this.type = type;
      this.what = what;
      this.hasChanges = hasChanges;
    }

    boolean isOnStrings() {
      return this == LABELS || this == RECALL;
    }

    /** What is measured of checkpoints; empty for the perplexity. */
    static Optional<Kind> of(List<Checkpoint> checkpoints, List<String> protocols) {
      List<ModelOrigin> models = checkpoints.stream().map(Checkpoint::origin).toList();
      if (models.stream().allMatch(one -> one.model().isClassifier())) {
        return Optional.of(LABELS);
      }
      if (models.stream()
          .allMatch(one -> one.stringTask().flatMap(TaskConfig::recall).isPresent())) {
        return Optional.of(RECALL);
      }
      checkpoints.forEach(Checkpoint::ofLanguageModel);
      return Stream.of(ANSWERS, PASSKEY)
          .filter(kind -> protocols.equals(List.of(kind.name)))
          .findFirst();
    }
  }

  @Option(
      names = "--protocol",
      split = ",",
      paramLabel = "NAME",
      description =
          "The protocols: aligned, independent, sliding-window, non-overlapping and by-position"
              + " from conf/protocol, or your own YAML files. answers alone measures how often a"
              + " model answers the questions of documents `x SEP y` (conf/answers.yaml). passkey alone"
              + " measures whether it finds a key in a text (conf/passkey.yaml).")
  private List<String> protocols = List.of();

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "The number of samples, for each protocol; of strings, for each length.")
  private @Nullable Integer samples;

  @Option(
      names = "--within-document",
      description =
          "Draws samples only where one document contains the longest window. Same as --set"
              + " within_document=true.")
  private boolean withinDocument;

  @Option(
      names = "--separator",
      paramLabel = "ID",
      description = "The token between question and answer, for --protocol answers.")
  private @Nullable Integer separator;

  @Mixin private BosOption bos = new BosOption();

  /**
   * The measurement of models of strings, of answers and of passkeys, which draw no windows; empty
   * for the perplexity.
   */
  Optional<OfRun> measurement(
      List<Checkpoint> checkpoints,
      EvaluationOptions options,
      MeasurementInputs inputs,
      List<String> lengths,
      List<String> baselines) {
    return Kind.of(checkpoints, protocols)
        .map(
            kind -> {
              if (kind.isOnStrings()) {
                inputs.requireNoShards();
                requireNoProtocol();
              }
              EvaluationOptions.requireNone("--baseline", baselines, kind.what);
              EvaluationOptions.requireNone(
                  "--within-document", withinDocument ? List.of(true) : List.of(), kind.what);
              bos.requireAbsent("for " + kind.what);
              if (kind != Kind.ANSWERS) {
                requireNoSeparator(kind.what);
              }
              if (!kind.hasChanges) {
                options.requireNoChange(kind.what);
              }
              return options.bind(kind.name + ".yaml", kind.type, settings(lengths));
            });
  }

  private List<String> settings(List<String> lengths) {
    List<String> settings = new ArrayList<>(List.of("lengths=" + lengths));
    if (samples != null) {
      settings.add("samples=" + samples);
    }
    if (separator != null) {
      settings.add("separator=" + separator);
    }
    return settings;
  }

  private void requireNoSeparator(String what) {
    EvaluationOptions.requireNone(
        "--separator", separator == null ? List.of() : List.of(separator), what);
  }

  EvaluationConfig resolve(EvaluationOptions options) {
    requireNoSeparator("perplexity");
    List<String> settings = new ArrayList<>(bos.settings());
    if (!protocols.isEmpty()) {
      settings.add("protocols=[" + String.join(", ", contents()) + "]");
    }
    if (withinDocument) {
      settings.add("within_document=true");
    }
    EvaluationConfig config = options.resolve(settings);
    return samples == null ? config : withSamples(config, samples);
  }

  private void requireNoProtocol() {
    if (!protocols.isEmpty() || withinDocument) {
      throw new ConfigException(
          protocols.isEmpty() ? "--within-document" : "--protocol",
          "no protocol, because the checkpoints are measured on strings",
          protocols.isEmpty() ? "true" : protocols.toString(),
          "omit the option");
    }
  }

  private List<String> contents() {
    List<String> contents = new ArrayList<>();
    for (String protocol : protocols) {
      LayeredConfig file = ConfigLoader.load(file(protocol), List.of());
      file.bind(ProtocolConfig.class); // reports a mistake with its line
      contents.add(file.tree().toString());
    }
    return contents;
  }

  private static Path file(String protocol) {
    List<String> names = Arrays.stream(Protocol.values()).map(Protocol::label).toList();
    if (names.contains(protocol)) {
      return Installation.conf("protocol/" + protocol + ".yaml");
    }
    if (!Files.isRegularFile(Path.of(protocol))) {
      throw new ConfigException(
          "--protocol",
          "one of %s, or a file".formatted(String.join(", ", names)),
          protocol,
          "correct the name");
    }
    return Path.of(protocol);
  }

  private static EvaluationConfig withSamples(EvaluationConfig config, int samples) {
    try {
      return config.withSamples(samples);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "--samples", "at least 1", String.valueOf(samples), "use a larger number", e);
    }
  }
}
