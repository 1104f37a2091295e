package org.lengthwise.training.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.Callable;
import org.lengthwise.training.interchange.CheckpointExport;
import org.lengthwise.training.interchange.ModelFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code export}: a checkpoint's model for other software. */
@Command(
    name = "export",
    sortOptions = false,
    header = "Exports the model of a checkpoint for other software.",
    description =
        "The format safetensors is one file that describes itself, with our tensor names. The other"
            + " formats are families of public models, in Hugging Face's layout. A model that a"
            + " family cannot express is refused, with the differences. The state of the optimizer"
            + " is not exported.",
    footer = {
      "",
      "Example:",
      "  export --checkpoint runs/learned --format gpt2 --output models/learned"
    })
public final class ExportCommand implements Callable<Integer> {
  @Option(
      names = "--checkpoint",
      required = true,
      paramLabel = "DIR",
      description = "A checkpoint, or a run with its newest checkpoint.")
  private Path checkpoint = Path.of("");

  @Option(
      names = "--format",
      required = true,
      paramLabel = "NAME",
      completionCandidates = Formats.class,
      description = "The format: ${COMPLETION-CANDIDATES}.")
  private String format = CheckpointExport.OWN;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "The folder for model.safetensors and, for a family, config.json.")
  private Path output = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The choices of {@code --format}. */
  private static final class Formats implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return CheckpointExport.formats().iterator();
    }
  }

  /** Creates the command; picocli sets its options. */
  public ExportCommand() {}

  @Override
  public Integer call() throws IOException {
    CheckpointExport.write(ModelFolder.open(checkpoint), format, output);
    spec.commandLine().getOut().println(output);
    return 0;
  }
}
