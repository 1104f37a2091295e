package org.lengthwise.eval.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.eval.receptivefield.ReceptiveField;
import org.lengthwise.eval.result.ReceptiveFieldResult;
import org.lengthwise.training.checkpoint.RunFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lengthwise receptive-field}: a checkpoint to its cumulative gradient. */
@Command(
    name = "receptive-field",
    description = {
      "Measures how far back a model's predictions depend on its input, by cumulative gradient,",
      "for the trained model and for the same model before training."
    },
    footer = {
      "",
      "Example:",
      "  receptive-field --checkpoint runs/alibi --data owt2 --length 2048 --samples 100",
      "      --output results/alibi-field"
    })
public final class ReceptiveFieldCommand implements Callable<Integer> {
  @Option(
      names = "--checkpoint",
      required = true,
      paramLabel = "DIR",
      description = "A checkpoint, or a run, which stands for its newest checkpoint.")
  private Path checkpoint = Path.of("");

  @Option(names = "--data", required = true, paramLabel = "URI", description = "Token shards.")
  private String data = "";

  @Option(
      names = "--length",
      required = true,
      paramLabel = "N",
      description = "The positions of each chunk.")
  private int length;

  @Option(
      names = "--samples",
      required = true,
      paramLabel = "N",
      description = "Over how many chunks the curve is averaged.")
  private int samples;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "Where receptive-field.json goes.")
  private Path output = Path.of("");

  @Mixin private EvaluationOptions options = new EvaluationOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public ReceptiveFieldCommand() {}

  @Override
  public Integer call() throws IOException {
    try (ShardFolder shards = ShardFolder.open(data)) {
      receptiveField().run(RunFolder.resolve(checkpoint), shards, options.resolve(), output);
    }
    ReceptiveFieldResult result = ReceptiveFieldResult.read(output);
    spec.commandLine()
        .getOut()
        .printf(
            "%s seed %d at %d: 99 %% of the gradient within the last %d tokens, untrained %d%n",
            result.run(),
            result.seed(),
            result.length(),
            result.trained().effective(),
            result.untrained().effective());
    return 0;
  }

  private ReceptiveField receptiveField() {
    try {
      return new ReceptiveField(length, samples);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "--length and --samples",
          "at least 1 each",
          length + " and " + samples,
          "name such numbers",
          e);
    }
  }
}
