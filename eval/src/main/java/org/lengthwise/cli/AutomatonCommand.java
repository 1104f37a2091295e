package org.lengthwise.cli;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.automaton.ExactModel;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.task.StringClassification;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.checkpoint.ImportedModel;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.config.RegularConfig;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "automaton",
    sortOptions = false,
    header = "Writes a model that computes an automaton exactly.",
    description =
        "The weights are computed, not trained (Lemma 1 of the paper). evaluate measures the"
            + " checkpoint like any other.",
    footer = {
      "",
      "Example:",
      "  automaton --name parity_check --chunk 2 --output models/exact-parity",
      "  evaluate --checkpoint models/exact-parity --lengths 41..500 --output results/exact"
    })
public final class AutomatonCommand implements Callable<Integer> {
  @ArgGroup(multiplicity = "1")
  private TaskOption task = new TaskOption();

  @Option(
      names = "--chunk",
      required = true,
      paramLabel = "C",
      description = "The rows of a window. A larger chunk needs a much larger width.")
  private int chunk;

  @Option(
      names = "--width",
      defaultValue = "256",
      paramLabel = "N",
      description = "The width of the model. Default: ${DEFAULT-VALUE}.")
  private int width;

  @Option(
      names = "--heads",
      defaultValue = "8",
      paramLabel = "N",
      description = "The number of heads. Default: ${DEFAULT-VALUE}.")
  private int heads;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "The folder of the checkpoint, which must not exist.")
  private Path output = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    try {
      write(new ExactModel(task.automaton(), chunk, width, heads));
    } catch (InvalidValueException e) {
      throw e.ofOption();
    }
    spec.commandLine().getOut().println(output);
    return 0;
  }

  private void write(ExactModel model) throws IOException {
    RegularConfig described = task.described(List.of(1, 1));
    ImportedModel origin =
        new ImportedModel(
            ModelOrigin.FORMAT_VERSION,
            "exact-%s-%s".formatted(described.name(), chunk),
            0,
            model.config(),
            described.longest(),
            StringClassification.identity(described.task()),
            new ImportedModel.Source(ImportedModel.Source.AUTOMATON, Map.of()),
            described,
            null,
            BuildInfo.current());
    CheckpointFolder.write(
        output,
        origin,
        TrainState.initial(0),
        name -> FloatBuffer.wrap(model.tensor(name)),
        Optional.empty());
  }
}
