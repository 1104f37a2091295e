package org.lengthwise.eval.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.eval.perplexity.Evaluation;
import org.lengthwise.eval.perplexity.EvaluationConfig;
import org.lengthwise.eval.result.EvaluationFile;
import org.lengthwise.eval.result.EvaluationResult;
import org.lengthwise.eval.result.Located;
import org.lengthwise.training.checkpoint.Checkpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lengthwise evaluate}: checkpoints to perplexities. */
@Command(
    name = "evaluate",
    description = {
      "Measures the perplexity of checkpoints at several lengths and under several protocols.",
      "Interrupted at any moment, the same command goes on where it was."
    },
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
      description = "Lengths in tokens, such as 512,1024,2048.")
  private List<Integer> lengths = List.of();

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "Where results.jsonl and the individual NLLs go.")
  private Path output = Path.of("");

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
      evaluation.run(checkpoints, shards, output);
    }
    for (Located<EvaluationResult> line : EvaluationFile.read(output)) {
      EvaluationResult result = line.value();
      spec.commandLine()
          .getOut()
          .printf(
              "%s seed %d, %s%s at %d: perplexity %.4f (%d tokens, NLL %.5f +- %.5f)%n",
              result.run(),
              result.seed(),
              result.protocol().label(),
              result.withinDocument() ? " within documents" : "",
              result.length(),
              result.perplexity(),
              result.count(),
              result.nllMean(),
              result.standardError());
    }
    return 0;
  }

  private Evaluation evaluation() {
    EvaluationConfig config = protocols.resolve(options);
    try {
      return new Evaluation(config, lengths);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "--lengths", "lengths of at least 2 tokens", lengths.toString(), "name such lengths", e);
    }
  }
}
