package org.lengthwise.dataprep.shard;

import java.util.Objects;
import org.lengthwise.config.Checks;

/**
 * A shard in the manifest.
 *
 * @param file its name in the folder
 * @param bytes its size in bytes
 * @param sha256 the SHA-256 of the file in hexadecimal
 * @param documents the number of documents in it
 * @param tokens the number of tokens in it, end-of-text included
 */
public record ShardEntry(String file, long bytes, String sha256, long documents, long tokens) {

  /** Requires a name without a folder, a SHA-256, and at least one token for each document. */
  public ShardEntry {
    Objects.requireNonNull(file, "file");
    Checks.sha256("sha256", sha256);
    Checks.require(
        !file.isEmpty() && !file.contains("/") && !file.contains("\\"),
        "file",
        "a name without a folder",
        file);
    Checks.atLeast("bytes", bytes, 1);
    Checks.atLeast("documents", documents, 1);
    Checks.require(
        tokens >= documents,
        "tokens",
        "at least one for each of %s documents".formatted(documents),
        tokens);
  }
}
