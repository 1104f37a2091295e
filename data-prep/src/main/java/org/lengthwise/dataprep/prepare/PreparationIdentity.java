package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.storage.StoredFile;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;

/**
 * All values that decide an output, except the content of the inputs. An attempt may resume another
 * attempt with the same identity.
 *
 * @param build the running build; another build might write the remaining documents differently
 */
record PreparationIdentity(
    BuildInfo build, TokenizerIdentity tokenizer, ObjectNode settings, List<StoredFile> inputs) {

  /** This setting decides when a run stops. It does not change the output. */
  private static final String REJECT_LIMIT = "reject_limit";

  PreparationIdentity {
    settings = settings.deepCopy();
    inputs = List.copyOf(inputs);
  }

  void requireSame(PreparationIdentity begun, Path folder) {
    require("the tokenizer", begun.tokenizer.name(), tokenizer.name(), folder);
    require("a tokenizer of SHA-256", begun.tokenizer.sha256(), tokenizer.sha256(), folder);
    require(
        "the settings",
        begun.settings.deepCopy().without(REJECT_LIMIT),
        settings.deepCopy().without(REJECT_LIMIT),
        folder);
    require("the build", begun.build, build, folder);
    require("this number of input files:", begun.inputs.size(), inputs.size(), folder);
    for (int i = 0; i < inputs.size(); i++) {
      String which = "as input file %s of %s".formatted(i + 1, inputs.size());
      require(which, shown(begun.inputs.get(i)), shown(inputs.get(i)), folder);
    }
  }

  private static String shown(StoredFile file) {
    return "%s of %s bytes".formatted(file.uri(), Count.of(file.bytes()));
  }

  private static void require(String what, Object begun, Object now, Path folder) {
    if (!begun.equals(now)) {
      throw new ConfigException(
          folder.toString(),
          "an unfinished preparation with " + what + " " + now,
          "one with " + begun,
          "finish that preparation with the command that began it, name another output, or remove"
              + " this folder to start over");
    }
  }
}
