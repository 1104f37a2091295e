package org.lengthwise.training.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.interchange.CheckpointImport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code import}: a model from elsewhere to a checkpoint. */
@Command(
    name = "import",
    description = {
      "Makes a checkpoint of a GPT-2 in Hugging Face's layout, or of a model that export wrote, to",
      "be measured like any other. It cannot be trained further."
    },
    footer = {"", "Example:", "  import --checkpoint downloads/gpt2 --output models/gpt2"})
public final class ImportCommand implements Callable<Integer> {
  @Option(
      names = "--checkpoint",
      required = true,
      arity = "1..*",
      paramLabel = "PATH",
      description = "A folder with config.json and model*.safetensors, or these files.")
  private List<Path> sources = List.of();

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "The checkpoint's folder.")
  private Path output = Path.of("");

  @Option(
      names = "--tokenizer",
      paramLabel = "NAME",
      description = "gpt2, bytes or a tokenizer.json; needed where a GPT-2 has not 50,257 ids.")
  private @Nullable String tokenizer;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The model's name in results; that of --output unless the model has one.")
  private @Nullable String name;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public ImportCommand() {}

  @Override
  public Integer call() throws IOException {
    Checkpoint written = new CheckpointImport(name, tokenizer).write(sources, output);
    spec.commandLine().getOut().println(written.folder());
    return 0;
  }
}
