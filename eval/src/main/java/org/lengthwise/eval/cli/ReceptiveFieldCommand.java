package org.lengthwise.eval.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.eval.receptivefield.ReceptiveField;
import org.lengthwise.eval.result.Located;
import org.lengthwise.eval.result.ModelState;
import org.lengthwise.eval.result.ReceptiveFieldFile;
import org.lengthwise.eval.result.ReceptiveFieldResult;
import org.lengthwise.training.checkpoint.Checkpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lengthwise receptive-field}: checkpoints to their cumulative gradients. */
@Command(
    name = "receptive-field",
    description = {
      "Measures how far back models' predictions depend on their input, by cumulative gradient,",
      "for each trained model and for the same model before training. Interrupted and started",
      "again, it goes on where it was."
    },
    footer = {
      "",
      "Example:",
      "  receptive-field --checkpoint runs/alibi --data owt2 --length 512,2048 --samples 100",
      "      --output results/alibi-field"
    })
public final class ReceptiveFieldCommand implements Callable<Integer> {
  @Mixin private MeasurementInputs inputs = new MeasurementInputs();

  @Option(
      names = "--length",
      required = true,
      split = ",",
      paramLabel = "N",
      description = "The positions of each chunk; several lengths are measured in turn.")
  private List<Integer> lengths = List.of();

  @Option(
      names = "--samples",
      required = true,
      paramLabel = "N",
      description = "Over how many chunks a curve is averaged; bands need 100 or so.")
  private int samples;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "Where receptive-fields.jsonl and the individual gradient norms go.")
  private Path output = Path.of("");

  @Mixin private EvaluationOptions options = new EvaluationOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public ReceptiveFieldCommand() {}

  @Override
  public Integer call() throws IOException {
    ReceptiveField receptiveField = receptiveField();
    List<Checkpoint> checkpoints = inputs.checkpoints();
    try (ShardFolder shards = inputs.shards()) {
      receptiveField.run(checkpoints, shards, options.resolve(), output);
    }
    PrintWriter out = spec.commandLine().getOut();
    for (Located<ReceptiveFieldResult> line : ReceptiveFieldFile.read(output)) {
      for (ModelState state : ModelState.values()) {
        out.println(sentence(line.value(), state));
      }
    }
    return 0;
  }

  private static String sentence(ReceptiveFieldResult result, ModelState state) {
    String fields =
        result.curve(state).effective().stream()
            .map(
                field ->
                    "%.0f %% within %d (%d to %d)"
                        .formatted(100 * field.share(), field.tokens(), field.low(), field.high()))
            .collect(Collectors.joining(", "));
    return "%s seed %d at %d, %s: of the gradient %s tokens, all within %d"
        .formatted(
            result.run(),
            result.seed(),
            result.length(),
            state.label(),
            fields,
            result.theoretical());
  }

  private ReceptiveField receptiveField() {
    try {
      return new ReceptiveField(lengths, samples);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "--length and --samples",
          "lengths of at least 1 and at least 2 samples",
          lengths + " and " + samples,
          "name such numbers",
          e);
    }
  }
}
