package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.storage.StoredFile;

/**
 * All that decides an output, but for the content of the inputs. An attempt may go on where another
 * one of the same job stopped.
 *
 * @param build the build at work: another one might write the rest differently
 * @param tokenizer what makes the tokens
 * @param settings the settings as they read in a manifest
 * @param inputs the files to read, in order
 */
record Job(
    BuildInfo build, TokenizerIdentity tokenizer, ObjectNode settings, List<StoredFile> inputs) {

  /** Decides when a run stops, not what it writes. */
  private static final String REJECT_LIMIT = "reject_limit";

  /** Takes copies. */
  Job {
    settings = settings.deepCopy();
    inputs = List.copyOf(inputs);
  }

  /** Fails unless this is the job that was begun in the folder, up to its limit of rejects. */
  void requireSame(Job begun, Path folder) {
    require("the tokenizer", begun.tokenizer, tokenizer, folder);
    require(
        "the settings",
        begun.settings.deepCopy().without(REJECT_LIMIT),
        settings.deepCopy().without(REJECT_LIMIT),
        folder);
    require("the build", begun.build, build, folder);
    require("so many input files:", begun.inputs.size(), inputs.size(), folder);
    for (int i = 0; i < inputs.size(); i++) {
      require("as input file " + (i + 1), begun.inputs.get(i), inputs.get(i), folder);
    }
  }

  private static void require(String what, Object begun, Object now, Path folder) {
    if (!begun.equals(now)) {
      throw new ConfigException(
          folder.toString(),
          "an unfinished preparation with " + what + " " + now,
          "one with " + begun,
          "finish that one with the command that began it, name another output, or remove this"
              + " folder to start over");
    }
  }
}
