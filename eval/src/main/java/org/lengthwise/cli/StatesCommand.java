package org.lengthwise.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.measure.states.States;
import org.lengthwise.result.Located;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.StatesResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "states",
    sortOptions = false,
    header = "Compares a RegularGPT's outputs with an automaton's states.",
    description =
        "For classifiers of strings. Each window of each level stands for a part of the string."
            + " The part has a map: which state of the automaton follows from which. The command"
            + " measures whether outputs of equal maps are close to each other, for each checkpoint"
            + " and the same model before training. If the command is interrupted, the same command"
            + " resumes.",
    footer = {
      "",
      "Example:",
      "  states --checkpoint runs/parity --length 500 --output results/parity-states"
    })
public final class StatesCommand implements Callable<Integer> {
  @Mixin private MeasurementInputs inputs = new MeasurementInputs();

  @Option(
      names = "--length",
      required = true,
      paramLabel = "N",
      description = "The number of symbols of each string.")
  private int length;

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "The number of strings. Default: ${DEFAULT-VALUE}.")
  private int samples = 10;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "The folder for states.jsonl.")
  private Path output = Path.of("");

  @Mixin private EvaluationOptions options = new EvaluationOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    inputs.requireNoShards();
    states().measure(inputs.checkpoints(), inputs.shards(), output, () -> false);
    PrintWriter out = spec.commandLine().getOut();
    for (Located<StatesResult> line : ResultFile.STATES.read(output)) {
      out.println(sentence(line.value()));
    }
    return 0;
  }

  private static String sentence(StatesResult result) {
    StatesResult.Outputs outputs = result.outputs();
    Double ratio = outputs.withinOverBetween();
    return String.format(
        Locale.ROOT,
        "%s seed %d at %d, %s: %,d outputs, %,d different, of %,d maps; %.3f nearest to the mean of"
            + " their own map; distance within / between maps %s; first component %.1f %% of the"
            + " variance",
        result.run(),
        result.subject().seed(),
        result.strings().length(),
        result.weights().label(),
        outputs.count(),
        outputs.numOutputs(),
        outputs.numMaps(),
        outputs.nearestShare(),
        ratio == null ? "-" : String.format(Locale.ROOT, "%.3f", ratio),
        100 * outputs.variance().get(0));
  }

  private States states() {
    options.requireNoChange("states");
    EvaluationConfig config = options.resolve();
    try {
      return new States(length, samples, config.seed(), config.settings(), List.of());
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "--length and --samples",
          "a length of at least 1 and at least 1 sample",
          length + " and " + samples,
          "correct the numbers",
          e);
    }
  }
}
