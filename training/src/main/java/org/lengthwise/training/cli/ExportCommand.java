package org.lengthwise.training.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.interchange.CheckpointExport;
import org.lengthwise.training.interchange.ExportFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code export}: a checkpoint's model for other software. */
@Command(
    name = "export",
    description = {
      "Writes a checkpoint's model, without its optimiser, for other software: with our own names",
      "in one file that describes itself, or as a GPT-2 in Hugging Face's layout, which has a place",
      "for learned positions only."
    },
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
      description = "A checkpoint, or a run, which stands for its newest checkpoint.")
  private Path checkpoint = Path.of("");

  @Option(
      names = "--format",
      required = true,
      paramLabel = "NAME",
      description = "One of ${COMPLETION-CANDIDATES}.")
  private ExportFormat format = ExportFormat.SAFETENSORS;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "Where model.safetensors, and config.json under gpt2, go.")
  private Path output = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public ExportCommand() {}

  @Override
  public Integer call() throws IOException {
    CheckpointExport.write(RunFolder.resolve(checkpoint), format, output);
    spec.commandLine().getOut().println(output);
    return 0;
  }
}
