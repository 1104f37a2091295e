package org.lengthwise.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.measure.perplexity.Baseline;
import org.lengthwise.measure.perplexity.Evaluation;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.result.EvaluationFile;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.training.checkpoint.Checkpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lengthwise evaluate}: measures the perplexity of checkpoints. */
@Command(
    name = "evaluate",
    sortOptions = false,
    header = "Measures the perplexity of checkpoints at several lengths.",
    description =
        "A protocol defines which tokens of the test split are scored, and with how much context."
            + " If the command is interrupted, the same command resumes.",
    footer = {
      "",
      "Example:",
      "  evaluate --checkpoint runs/alibi --data owt2 --lengths 512,1024,2048",
      "      --output results/alibi",
      "  evaluate --checkpoint runs/alibi runs/t5 --data owt2 --lengths 512,2048",
      "      --protocol aligned,by-position --output results/both"
    })
public final class EvaluateCommand implements Callable<Integer> {
  @Mixin private MeasurementInputs inputs = new MeasurementInputs();

  @Option(
      names = "--lengths",
      required = true,
      split = ",",
      paramLabel = "N",
      description = "The lengths in tokens, such as 512,1024,2048.")
  private List<Integer> lengths = List.of();

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "The folder for results.jsonl and the NLLs of single tokens.")
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
    Evaluation evaluation = evaluation();
    List<Checkpoint> checkpoints = inputs.checkpoints();
    try (ShardFolder shards = inputs.shards()) {
      evaluation.run(
          checkpoints, baselines(evaluation, checkpoints, shards), shards, output, () -> false);
    }
    for (Located<EvaluationResult> line : EvaluationFile.read(output)) {
      EvaluationResult result = line.value();
      spec.commandLine()
          .getOut()
          .printf(
              "%s seed %d, %s%s at %d: perplexity %.4f (%s, NLL %.5f +- %.5f)%n",
              result.run(),
              result.seed(),
              result.protocol().label(),
              result.windows().withinDocument() ? " within documents" : "",
              result.length(),
              result.perplexity(),
              Count.of(result.sums().count(), "token"),
              result.sums().mean(),
              result.sums().standardError());
    }
    return 0;
  }

  private List<Baseline> baselines(
      Evaluation evaluation, List<Checkpoint> checkpoints, ShardFolder shards) {
    int trainLength =
        checkpoints.stream()
            .mapToInt(checkpoint -> checkpoint.origin().length())
            .min()
            .orElse(evaluation.lengths().get(0));
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

  private Evaluation evaluation() {
    EvaluationConfig config = protocols.resolve(options);
    try {
      return new Evaluation(config, lengths);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "--lengths", "lengths of at least 2 tokens", lengths.toString(), "use longer lengths", e);
    }
  }
}
