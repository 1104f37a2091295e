package org.lengthwise.eval.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardEntry;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.model.ModelConfig;
import org.lengthwise.training.model.ParameterLayout;
import org.lengthwise.training.model.ParameterSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lengthwise inspect}: what a folder holds, with its checksums verified. */
@Command(
    name = "inspect",
    description = "Says what a shard folder, a checkpoint or a run holds, and verifies checksums.")
public final class InspectCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "A shard folder, a checkpoint or a run.")
  private Path folder = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public InspectCommand() {}

  @Override
  public Integer call() throws IOException {
    if (Files.isRegularFile(folder.resolve(Manifest.FILE))) {
      shards();
    } else {
      checkpoint();
    }
    return 0;
  }

  private void shards() {
    PrintWriter out = spec.commandLine().getOut();
    try (ShardFolder shards = ShardFolder.open(folder.toString())) {
      shards.verifyChecksums();
      Manifest manifest = shards.manifest();
      printTokenizer(out, manifest.tokenizer());
      out.printf("inputs       %d, rejects %d%n", manifest.inputs().size(), manifest.rejects());
      for (Split split : Split.values()) {
        SplitEntry entry = manifest.split(split);
        out.printf(
            "%-12s %,d documents, %,d tokens%n", split.label(), entry.documents(), entry.tokens());
        for (ShardEntry shard : entry.shards()) {
          out.printf("  %s %,d bytes, SHA-256 verified%n", shard.file(), shard.bytes());
        }
      }
      out.printf("settings     %s%n", manifest.settings());
      out.printf("written by   %s%n", manifest.build());
    }
  }

  private void checkpoint() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Checkpoint checkpoint = RunFolder.resolve(folder);
    ModelConfig model = checkpoint.run().model();
    out.printf("checkpoint   %s, every file's SHA-256 verified%n", checkpoint.folder());
    out.printf(
        "run          %s, seed %d, step %d, %,d tokens%n",
        checkpoint.run().config().name(),
        checkpoint.state().seed(),
        checkpoint.state().step(),
        checkpoint.state().tokens());
    out.printf(
        "model        %d distinct blocks, width %d, %d heads, vocabulary %d, %,d parameters%n",
        model.layers(), model.width(), model.heads(), model.vocabulary(), model.numParameters());
    int length = checkpoint.run().config().training().length();
    out.printf(
        "position     %s, %d executed layers at %d tokens%n",
        model.position(), model.executedLayers(length), length);
    printTokenizer(out, checkpoint.run().data().tokenizer());
    out.printf("data         SHA-256 %s%n", checkpoint.run().data().sha256());
    out.printf("written by   %s%n", checkpoint.run().build());
    for (ParameterSpec parameter : ParameterLayout.of(model)) {
      out.printf("  %-36s %s%n", parameter.name(), parameter.shape());
    }
  }

  private static void printTokenizer(PrintWriter out, TokenizerIdentity tokenizer) {
    out.printf(
        "tokenizer    %s, %d ids, end of text %d, SHA-256 %s%n",
        tokenizer.name(), tokenizer.vocabularySize(), tokenizer.endOfText(), tokenizer.sha256());
  }
}
