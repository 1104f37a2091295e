package org.lengthwise.dataprep.shard;

import java.util.Objects;
import org.lengthwise.config.Checks;

/** A shard in the manifest. Its tokens include end-of-text. */
public record ShardEntry(String file, long bytes, String sha256, long documents, long tokens) {

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
