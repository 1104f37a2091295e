package org.lengthwise.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.measure.receptivefield.ReceptiveField;
import org.lengthwise.result.Located;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ReceptiveFieldResult;
import org.lengthwise.result.ResultFile;
import org.lengthwise.training.checkpoint.Checkpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "receptive-field",
    sortOptions = false,
    header = "Measures how far back predictions depend on the input.",
    description =
        "The measure is the cumulative gradient of the loss of the last token, or of the label of a"
            + " string. Each checkpoint is measured, and the same model before training. If the"
            + " command is interrupted, the same command resumes.",
    footer = {
      "",
      "Example:",
      "  receptive-field --checkpoint runs/alibi --data owt2 --length 512,2048",
      "      --samples 100 --output results/alibi-field",
      "  receptive-field --checkpoint runs/parity --length 500 --samples 100",
      "      --output results/parity-field"
    })
public final class ReceptiveFieldCommand implements Callable<Integer> {
  @Mixin private MeasurementInputs inputs = new MeasurementInputs();

  @Option(
      names = "--length",
      required = true,
      split = ",",
      paramLabel = "N",
      description =
          "The number of tokens of each sample, such as 512,2048, or a multiple of each"
              + " checkpoint's training length, such as 1x,4x. Several lengths are measured one"
              + " after the other.")
  private List<String> lengths = List.of();

  @Option(
      names = "--samples",
      required = true,
      paramLabel = "N",
      description = "The number of samples of a curve. Useful intervals need about 100.")
  private int samples;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description =
          "The folder for receptive-fields.jsonl and the gradient norms of single samples.")
  private Path output = Path.of("");

  @Mixin private BosOption bos = new BosOption();

  @Mixin private EvaluationOptions options = new EvaluationOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    ReceptiveField receptiveField = receptiveField();
    List<Checkpoint> checkpoints = inputs.checkpoints();
    if (checkpoints.stream().allMatch(one -> one.origin().model().isClassifier())) {
      inputs.requireNoShards();
      bos.requireAbsent("for a classifier of strings");
    }
    try (ShardSource shards = inputs.shards()) {
      receptiveField.measure(checkpoints, shards, output, () -> false);
    }
    PrintWriter out = spec.commandLine().getOut();
    for (Located<ReceptiveFieldResult> line : ResultFile.RECEPTIVE_FIELDS.read(output)) {
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
                    "%s %% within %s (%s to %s)"
                        .formatted(
                            Math.round(100 * field.share()),
                            field.tokens(),
                            field.low(),
                            field.high()))
            .collect(Collectors.joining(", "));
    return "%s seed %s at %s, %s: of the gradient %s tokens, all within %s"
        .formatted(
            result.run(),
            result.seed(),
            result.length(),
            state.label(),
            fields,
            result.theoretical());
  }

  private ReceptiveField receptiveField() {
    EvaluationConfig config = options.resolve(bos.settings());
    Lengths range = EvaluateCommand.lengths("--length", lengths);
    try {
      return new ReceptiveField(
          range,
          samples,
          config.seed(),
          config.positionScaling(),
          config.temperature(),
          config.bos(),
          config.settings(),
          List.of());
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "--samples", "at least 2", String.valueOf(samples), "request more samples", e);
    }
  }
}
