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

/** {@code import}: a model of other software to a checkpoint. */
@Command(
    name = "import",
    sortOptions = false,
    header = "Imports a GPT-2 model or an exported model.",
    description =
        "Reads a GPT-2 in Hugging Face's layout, or a model that export wrote, and writes a"
            + " checkpoint. The checkpoint can be measured like any other, but not trained.",
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
      description = "The folder of the checkpoint to write.")
  private Path output = Path.of("");

  @Option(
      names = "--tokenizer",
      paramLabel = "NAME",
      description = "gpt2, bytes or a tokenizer.json. Required for a GPT-2 without 50,257 ids.")
  private @Nullable String tokenizer;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "The name of the model in results. Default: the name in the files, else the folder name of --output.")
  private @Nullable String name;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Creates the command; picocli sets its options. */
  public ImportCommand() {}

  @Override
  public Integer call() throws IOException {
    Checkpoint written = new CheckpointImport(name, tokenizer).write(sources, output);
    spec.commandLine().getOut().println(written.folder());
    return 0;
  }
}
