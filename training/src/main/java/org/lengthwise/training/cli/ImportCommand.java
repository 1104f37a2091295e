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
    header = "Imports a public model or an exported model.",
    description =
        "Reads a model in Hugging Face's layout (gpt2, gpt_neox, llama, mistral, qwen2, qwen3, opt,"
            + " bloom or mpt), or a model that export wrote, and writes a checkpoint in float32."
            + " The checkpoint can be measured like any other, and train --from starts from it.",
    footer = {"", "Example:", "  import --checkpoint downloads/pythia-70m --output models/pythia"})
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
      description =
          "gpt2, bytes or a tokenizer.json. Default: the tokenizer.json of the folder, else gpt2 if"
              + " the model has 50,257 ids.")
  private @Nullable String tokenizer;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "The name of the model in results. Default: the name in the files, else the folder name of --output.")
  private @Nullable String name;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Checkpoint written = new CheckpointImport(name, tokenizer).write(sources, output);
    spec.commandLine().getOut().println(written.folder());
    return 0;
  }
}
