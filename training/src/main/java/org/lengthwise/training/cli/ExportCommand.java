package org.lengthwise.training.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.source.TokenExport;
import org.lengthwise.training.interchange.CheckpointExport;
import org.lengthwise.training.interchange.ModelFolder;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code export}: a checkpoint's model, or the tokens of shards, for other software. */
@Command(
    name = "export",
    sortOptions = false,
    header = "Exports a model, or token shards, for other software.",
    description =
        "Of a checkpoint, the format safetensors is one file that describes itself, with our tensor names. The other"
            + " formats are families of public models, in Hugging Face's layout. A model that a"
            + " family cannot express is refused, with the differences. The state of the optimizer"
            + " is not exported. Of shards, each split becomes a file: nanogpt writes train.bin, val.bin"
            + " and test.bin, megatron writes a .bin and an .idx.",
    footer = {
      "",
      "Example:",
      "  export --checkpoint runs/learned --format gpt2 --output models/learned",
      "  export --data owt2 --format nanogpt --output owt2-nanogpt"
    })
public final class ExportCommand implements Callable<Integer> {
  @ArgGroup(multiplicity = "1")
  private Source source = new Source();

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
      description = "The folder to write.")
  private Path output = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  private static final class Source {
    @Option(
        names = "--checkpoint",
        required = true,
        paramLabel = "DIR",
        description = "A checkpoint, or a run with its newest checkpoint.")
    private @Nullable Path checkpoint;

    @Option(names = "--data", required = true, paramLabel = "URI", description = "A shard folder.")
    private @Nullable String data;
  }

  private static final class Formats implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(CheckpointExport.formats().stream(), TokenExport.formats().stream())
          .iterator();
    }
  }

  @Override
  public Integer call() throws IOException {
    if (source.checkpoint != null) {
      CheckpointExport.write(ModelFolder.open(source.checkpoint), format, output);
    } else {
      try (ShardFolder shards = ShardFolder.open(Objects.requireNonNull(source.data))) {
        TokenExport.write(shards, format, output);
      }
    }
    spec.commandLine().getOut().println(output);
    return 0;
  }
}
