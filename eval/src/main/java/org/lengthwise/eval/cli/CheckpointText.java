package org.lengthwise.eval.cli;

import java.io.PrintWriter;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ImportedModel;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.model.ModelConfig;
import org.lengthwise.training.model.ParameterLayout;
import org.lengthwise.training.model.ParameterSpec;

/**
 * The content of a checkpoint as text for a terminal.
 *
 * @param out where to
 */
record CheckpointText(PrintWriter out) {

  void print(Checkpoint checkpoint) {
    ModelOrigin origin = checkpoint.origin();
    ModelConfig model = origin.model();
    out.printf("checkpoint   %s, every file's SHA-256 verified%n", checkpoint.folder());
    out.printf(
        "run          %s, seed %d, step %d, %,d tokens%n",
        origin.name(),
        checkpoint.state().seed(),
        checkpoint.state().step(),
        checkpoint.state().tokens());
    out.printf(
        "model        %d distinct blocks, width %d, %d heads, vocabulary %d, %,d parameters%n",
        model.layers(), model.width(), model.heads(), model.vocabulary(), model.numParameters());
    int length = origin.length();
    out.printf(
        "position     %s, %d executed layers at %d tokens%n",
        model.position(), model.executedLayers(length), length);
    TokenizerIdentity tokenizer = origin.tokenizer();
    out.printf(
        "tokenizer    %s, %d ids, end of text %d, SHA-256 %s%n",
        tokenizer.name(), tokenizer.vocabularySize(), tokenizer.endOfText(), tokenizer.sha256());
    if (origin instanceof RunDescription run) {
      out.printf("data         SHA-256 %s%n", run.data().sha256());
    } else if (origin instanceof ImportedModel imported) {
      String files = String.join(", ", imported.source().files().keySet());
      out.printf("imported     from the layout %s: %s%n", imported.source().layout(), files);
    }
    out.printf("written by   %s%n", origin.build());
    for (ParameterSpec parameter : ParameterLayout.of(model)) {
      out.printf("  %-36s %s%n", parameter.name(), parameter.shape());
    }
  }
}
