package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.progress.Progress;
import org.lengthwise.dataprep.progress.ProgressReporter;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.storage.Storage;

/**
 * An output that an earlier run finished.
 *
 * @param uri the folder
 * @param manifest what the earlier run noted
 */
record FinishedOutput(String uri, Manifest manifest) {

  static FinishedOutput read(String uri) throws IOException {
    String file = Storage.join(uri, Manifest.FILE);
    try (InputStream in = Storage.of(uri).open(file)) {
      return new FinishedOutput(uri, ConfigLoader.strictMapper().readValue(in, Manifest.class));
    } catch (IOException e) {
      throw new DataFormatException(
          file,
          "the manifest of a finished shard folder",
          String.valueOf(e.getMessage()),
          "remove the folder, or name another output",
          e);
    }
  }

  /** Fails unless a run over these would give the same output again. */
  void requireSame(Corpus corpus, TokenizerIdentity tokenizer, ObjectNode settings) {
    require("tokenizer", shown(manifest.tokenizer()), shown(tokenizer));
    require("settings", manifest.settings(), settings);
    boolean sameInputs;
    try (Progress progress = ProgressReporter.start("compare inputs", "bytes", corpus.numBytes())) {
      sameInputs = corpus.matches(manifest.inputs(), progress::advanceTo);
    }
    if (!sameInputs) {
      throw different("the inputs of this command", "a folder prepared from other inputs");
    }
  }

  private static String shown(TokenizerIdentity tokenizer) {
    return tokenizer.name() + " (" + tokenizer.sha256().substring(0, 12) + ")";
  }

  private void require(String what, Object earlier, Object now) {
    if (!earlier.equals(now)) {
      throw different(what + " " + now, "a folder prepared with " + what + " " + earlier);
    }
  }

  private ConfigException different(String expected, String found) {
    return new ConfigException(
        "output " + uri, expected, found, "name another output, or remove this one first");
  }
}
