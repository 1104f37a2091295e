package org.lengthwise.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.accuracy.Accuracy;
import org.lengthwise.measure.accuracy.AccuracyConfig;
import org.lengthwise.measure.answers.AnswersConfig;
import org.lengthwise.measure.answers.AnswersMeasurement;
import org.lengthwise.measure.perplexity.Baseline;
import org.lengthwise.measure.perplexity.Evaluation;
import org.lengthwise.measure.probe.ProbeConfig;
import org.lengthwise.measure.probe.ProbeMeasurement;
import org.lengthwise.measure.recall.RecallMeasurement;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.result.ResultFile;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TaskConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lengthwise evaluate}: measures the perplexity or the accuracy of checkpoints. */
@Command(
    name = "evaluate",
    sortOptions = false,
    header = "Measures perplexity or accuracy at several lengths.",
    description =
        "Language models: a protocol defines which tokens of the test split are scored, and with"
            + " how much context. Classifiers of strings: the share of right labels on fresh"
            + " strings. Models of a recall task: the share of right tokens and strings, also by"
            + " distance. If the command is interrupted, the same command resumes.",
    footer = {
      "",
      "Example:",
      "  evaluate --checkpoint runs/alibi --data owt2 --lengths 512,1024,2048",
      "      --output results/alibi",
      "  evaluate --checkpoint runs/alibi runs/t5 --data owt2 --lengths 1x,2x,4x",
      "      --protocol aligned,by-position --output results/both",
      "  evaluate --checkpoint runs/sort --data sort-long --lengths 1..50 --protocol answers",
      "      --output results/sort",
      "  evaluate --checkpoint runs/parity --lengths 41..500:9 --output results/parity",
      "  evaluate --checkpoint runs/alibi --data owt2 --lengths 1x,4x --protocol passkey",
      "      --output results/passkey",
      "  evaluate --checkpoint runs/mqar --lengths 32,64,128 --set vary.a=[0.01,1]",
      "      --output results/mqar"
    })
public final class EvaluateCommand implements Callable<Integer> {
  @Mixin private MeasurementInputs inputs = new MeasurementInputs();

  @Option(
      names = "--lengths",
      required = true,
      split = ",",
      paramLabel = "N",
      description =
          "The lengths in tokens, such as 512,1024,2048, 41..500, or 41..500:9 for every ninth;"
              + " and multiples of each checkpoint's training length, such as 0.5x,1x,2x.")
  private List<String> lengths = List.of();

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description =
          "The folder for results.jsonl and the NLLs of single tokens, or for accuracy.jsonl.")
  private Path output = Path.of("");

  @Option(
      names = "--baseline",
      split = ",",
      paramLabel = "NAME",
      description =
          "Also measures n-gram models of the training split on the same targets, such as"
              + " kneser-ney-5. A second model, kneser-ney-5-read, counts only the number of"
              + " tokens that the checkpoints have read.")
  private List<String> baselines = List.of();

  @Mixin private ProtocolOptions protocols = new ProtocolOptions();

  @Mixin private EvaluationOptions options = new EvaluationOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public EvaluateCommand() {}

  @Override
  public Integer call() throws IOException {
    Lengths range = lengths("--lengths", lengths);
    List<Checkpoint> checkpoints = inputs.checkpoints();
    if (checkpoints.stream().allMatch(one -> one.origin().model().isClassifier())) {
      inputs.requireNoShards();
      evaluateClassifiers(checkpoints, range);
    } else if (checkpoints.stream().allMatch(one -> isOnRecall(one))) {
      inputs.requireNoShards();
      requireNoBaselines("a recall task, which has its own");
      RecallMeasurement.run(protocols.ofRecall(options), range, checkpoints, output, () -> false);
      printAccuracies();
    } else if (protocols.isPasskey()) {
      checkpoints.forEach(Checkpoint::ofLanguageModel);
      requireNoBaselines("a passkey");
      evaluatePasskey(checkpoints, range);
    } else if (protocols.areAnswers()) {
      checkpoints.forEach(Checkpoint::ofLanguageModel);
      evaluateAnswers(checkpoints, range);
    } else {
      checkpoints.forEach(Checkpoint::ofLanguageModel);
      evaluateLanguageModels(checkpoints, range);
    }
    return 0;
  }

  private static boolean isOnRecall(Checkpoint checkpoint) {
    return checkpoint.origin().stringTask().flatMap(TaskConfig::recall).isPresent();
  }

  /** Reads the value of an option. */
  static Lengths lengths(String option, List<String> parts) {
    try {
      return Lengths.of(parts);
    } catch (InvalidValueException e) {
      throw new ConfigException(option, e.expected(), e.found(), "correct the lengths", e);
    }
  }

  private void evaluateClassifiers(List<Checkpoint> checkpoints, Lengths range) throws IOException {
    requireNoBaselines("a classifier of strings");
    AccuracyConfig config = protocols.ofStrings(options);
    new Accuracy(config, range).run(checkpoints, output, () -> false);
    printAccuracies();
  }

  private void evaluateAnswers(List<Checkpoint> checkpoints, Lengths range) throws IOException {
    requireNoBaselines("answers");
    AnswersConfig config = protocols.ofAnswers(options);
    try (ShardSource source = inputs.shards()) {
      AnswersMeasurement.run(config, range, checkpoints, source.folder(), output, () -> false);
    }
    printAccuracies();
  }

  private void evaluatePasskey(List<Checkpoint> checkpoints, Lengths range) throws IOException {
    ProbeConfig config = protocols.ofProbe(options);
    try (ShardSource source = inputs.shards()) {
      ProbeMeasurement.run(config, range, checkpoints, source, output, () -> false);
    }
    printAccuracies();
  }

  private void requireNoBaselines(String what) {
    if (!baselines.isEmpty()) {
      throw new ConfigException("--baseline", "none for " + what, baselines.toString(), "omit it");
    }
  }

  private void printAccuracies() throws IOException {
    AccuracyText text = new AccuracyText(spec.commandLine().getOut());
    text.print(ResultFile.ACCURACIES.values(output));
  }

  private void evaluateLanguageModels(List<Checkpoint> checkpoints, Lengths range)
      throws IOException {
    Evaluation evaluation = new Evaluation(protocols.resolve(options), range);
    try (ShardSource source = inputs.shards()) {
      ShardFolder shards = source.folder();
      evaluation.run(checkpoints, baselines(checkpoints, shards), shards, output, () -> false);
    }
    for (Located<EvaluationResult> line : ResultFile.EVALUATIONS.read(output)) {
      EvaluationResult result = line.value();
      spec.commandLine()
          .getOut()
          .printf(
              Locale.ROOT,
              "%s seed %d, %s%s at %d: perplexity %.4f (%s, NLL %.5f%s)%s%n",
              result.run(),
              result.seed(),
              result.protocol().label(),
              result.windows().withinDocument() ? " within documents" : "",
              result.length(),
              result.perplexity(),
              Count.of(result.sums().count(), "token"),
              result.sums().mean(),
              result.sums().count() < 2
                  ? ""
                  : String.format(Locale.ROOT, " +- %.5f", result.sums().standardError()),
              result.bitsPerByte().isEmpty()
                  ? ""
                  : String.format(
                      Locale.ROOT, ", %.4f bits per byte", result.bitsPerByte().getAsDouble()));
    }
  }

  private List<Baseline> baselines(List<Checkpoint> checkpoints, ShardFolder shards) {
    int trainLength =
        checkpoints.stream()
            .mapToInt(checkpoint -> checkpoint.origin().length())
            .min()
            .orElseThrow();
    // The number is 0, and not known, for imported models.
    List<Long> read =
        checkpoints.stream()
            .map(checkpoint -> checkpoint.state().tokens())
            .filter(count -> count > 0)
            .toList();
    return Baseline.ofAll(baselineOrders(), shards, read, trainLength);
  }

  private List<Integer> baselineOrders() {
    List<Integer> orders = new ArrayList<>();
    for (String baseline : baselines) {
      if (!baseline.matches("kneser-ney-[1-9]")) {
        throw new ConfigException(
            "--baseline",
            "kneser-ney-1 to kneser-ney-9",
            baseline,
            "name the order of the n-gram model, such as kneser-ney-5");
      }
      orders.add(Integer.parseInt(baseline.substring("kneser-ney-".length())));
    }
    return orders;
  }
}
