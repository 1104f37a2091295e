package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.prepare.PrepareSettings;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;

/**
 * The driver's settings for every task, stored in the job's configuration.
 *
 * @param tokenizer a built-in tokenizer's name, or the name of a file in the task's working folder
 * @param tokenizerSha256 the SHA-256 that the task's tokenizer must have
 */
record TaskSettings(
    JobWorkspace workspace, PrepareSettings settings, String tokenizer, String tokenizerSha256) {

  private static final String WORKSPACE = "lengthwise.prepare.workspace";
  private static final String SETTINGS = "lengthwise.prepare.settings";
  private static final String TOKENIZER = "lengthwise.prepare.tokenizer";
  private static final String TOKENIZER_SHA256 = "lengthwise.prepare.tokenizer.sha256";

  void store(Configuration configuration) throws IOException {
    configuration.set(WORKSPACE, workspace.root().toString());
    configuration.set(SETTINGS, ConfigLoader.strictMapper().writeValueAsString(settings));
    configuration.set(TOKENIZER, tokenizer);
    configuration.set(TOKENIZER_SHA256, tokenizerSha256);
  }

  static TaskSettings of(Configuration configuration) throws IOException {
    return new TaskSettings(
        workspace(configuration),
        ConfigLoader.strictMapper().readValue(get(configuration, SETTINGS), PrepareSettings.class),
        get(configuration, TOKENIZER),
        get(configuration, TOKENIZER_SHA256));
  }

  static JobWorkspace workspace(Configuration configuration) {
    return new JobWorkspace(new Path(get(configuration, WORKSPACE)));
  }

  Tokenizer openTokenizer() {
    Tokenizer opened = Tokenizers.of(tokenizer);
    if (!opened.sha256().equals(tokenizerSha256)) {
      opened.close();
      throw new IllegalStateException(
          "the tokenizer %s differs from the driver's: SHA-256 %s, expected %s"
              .formatted(tokenizer, opened.sha256(), tokenizerSha256));
    }
    return opened;
  }

  private static String get(Configuration configuration, String key) {
    return Objects.requireNonNull(configuration.get(key), key);
  }
}
