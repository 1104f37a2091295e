package org.lengthwise.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.accuracy.AccuracyConfig;
import org.lengthwise.measure.answers.AnswersConfig;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.measure.perplexity.ProtocolConfig;
import org.lengthwise.measure.probe.ProbeConfig;
import org.lengthwise.measure.recall.RecallTests;
import org.lengthwise.result.Protocol;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that choose the protocols of an evaluation and their windows. */
final class ProtocolOptions {
  /** Not one of the protocols, because it draws no windows. */
  private static final String ANSWERS = "answers";

  /** Not one of the protocols either. */
  private static final String PASSKEY = "passkey";

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

  boolean areAnswers() {
    return protocols.equals(List.of(ANSWERS));
  }

  boolean isPasskey() {
    return protocols.equals(List.of(PASSKEY));
  }

  /** The configuration of the zero-shot passkey. */
  ProbeConfig ofProbe(EvaluationOptions options) {
    if (withinDocument) {
      throw new ConfigException(
          "--within-document", "windows", "prompts of a passkey", "omit the option");
    }
    bos.requireAbsent("for a passkey, whose prompts begin as the model was trained");
    return options.ofProbe(samples == null ? List.of() : List.of("samples=" + samples));
  }

  /** The configuration of a measurement of answers, which draws no windows. */
  AnswersConfig ofAnswers(EvaluationOptions options) {
    if (withinDocument) {
      throw new ConfigException(
          "--within-document", "windows", "questions, which are documents", "omit the option");
    }
    bos.requireAbsent("for answers, which begin with an end of text");
    List<String> settings = new ArrayList<>();
    if (separator != null) {
      settings.add("separator=" + separator);
    }
    if (samples != null) {
      settings.add("samples=" + samples);
    }
    return options.ofAnswers(settings);
  }

  EvaluationConfig resolve(EvaluationOptions options) {
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

  /** The configuration of a measurement of strings, which has no protocols. */
  AccuracyConfig ofStrings(EvaluationOptions options) {
    return options.ofStrings(ofStrings());
  }

  /** The configuration of a measurement of a recall task, which has no protocols. */
  RecallTests ofRecall(EvaluationOptions options) {
    return options.ofRecall(ofStrings());
  }

  private List<String> ofStrings() {
    if (!protocols.isEmpty() || withinDocument) {
      throw new ConfigException(
          protocols.isEmpty() ? "--within-document" : "--protocol",
          "no protocol, because the checkpoints are measured on strings",
          protocols.isEmpty() ? "true" : protocols.toString(),
          "omit the option");
    }
    bos.requireAbsent("for a model of strings");
    return samples == null ? List.of() : List.of("samples=" + samples);
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
