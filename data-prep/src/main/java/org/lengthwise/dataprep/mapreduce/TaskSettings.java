package org.lengthwise.dataprep.mapreduce;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.prepare.Preparation;
import org.lengthwise.dataprep.prepare.PrepareSettings;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;

/**
 * The driver's settings for every task, stored in the job's configuration.
 *
 * @param workspace the job's folder
 * @param settings the settings that decide the output
 * @param tokenizer a built-in tokenizer's name, or the name of a file in the task's working folder
 * @param identity the identity of the driver's tokenizer
 */
record TaskSettings(
    JobWorkspace workspace,
    PrepareSettings settings,
    String tokenizer,
    TokenizerIdentity identity) {

  private static final String WORKSPACE = "lengthwise.prepare.workspace";
  private static final String SETTINGS = "lengthwise.prepare.settings";
  private static final String TOKENIZER = "lengthwise.prepare.tokenizer";
  private static final String IDENTITY = "lengthwise.prepare.tokenizer.identity";
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  void store(Configuration configuration) throws IOException {
    configuration.set(WORKSPACE, workspace.root().toString());
    configuration.set(SETTINGS, MAPPER.writeValueAsString(settings));
    configuration.set(TOKENIZER, tokenizer);
    configuration.set(IDENTITY, MAPPER.writeValueAsString(identity));
  }

  static TaskSettings of(Configuration configuration) throws IOException {
    return new TaskSettings(
        workspace(configuration),
        MAPPER.readValue(get(configuration, SETTINGS), PrepareSettings.class),
        get(configuration, TOKENIZER),
        MAPPER.readValue(get(configuration, IDENTITY), TokenizerIdentity.class));
  }

  static JobWorkspace workspace(Configuration configuration) {
    return new JobWorkspace(new Path(get(configuration, WORKSPACE)));
  }

  Tokenizer openTokenizer() {
    Tokenizer opened = Tokenizers.of(tokenizer);
    TokenizerIdentity found = Preparation.identity(opened);
    if (!found.hasSameIds(identity)) {
      opened.close();
      throw new IllegalStateException(
          "the tokenizer differs from the driver's: %s, expected %s".formatted(found, identity));
    }
    return opened;
  }

  private static String get(Configuration configuration, String key) {
    return Objects.requireNonNull(configuration.get(key), key);
  }
}
