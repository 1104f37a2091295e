package org.lengthwise.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig.OfRun;
import org.lengthwise.measure.perplexity.Baseline;
import org.lengthwise.measure.perplexity.Evaluation;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.result.ResultFile;
import org.lengthwise.training.checkpoint.Checkpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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

  @Override
  public Integer call() throws IOException {
    Lengths range = lengths("--lengths", lengths);
    List<Checkpoint> checkpoints = inputs.checkpoints();
    Optional<OfRun> other = protocols.measurement(checkpoints, options, inputs, lengths, baselines);
    try (ShardSource source = inputs.shards()) {
      if (other.isPresent()) {
        other.get().measure(checkpoints, source, output, () -> false);
        new AccuracyText(spec.commandLine().getOut()).print(ResultFile.ACCURACIES.values(output));
      } else {
        Evaluation evaluation = evaluation(protocols.resolve(options), range);
        ShardFolder shards = source.folder();
        evaluation.run(checkpoints, baselines(checkpoints, shards), shards, output, () -> false);
        printPerplexities();
      }
    }
    return 0;
  }

  private static Evaluation evaluation(EvaluationConfig config, Lengths lengths) {
    try {
      return new Evaluation(config, lengths);
    } catch (InvalidValueException e) {
      throw e.ofOption();
    }
  }

  static Lengths lengths(String option, List<String> parts) {
    try {
      return Lengths.of(parts);
    } catch (InvalidValueException e) {
      throw new ConfigException(option, e.expected(), e.found(), "correct the lengths", e);
    }
  }

  private void printPerplexities() throws IOException {
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
        checkpoints.stream().map(Checkpoint::tokensRead).filter(count -> count > 0).toList();
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
