package org.lengthwise.dataprep.shard;

import java.util.Objects;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * One shard, as the manifest lists it.
 *
 * @param file its name in the folder
 * @param bytes its size in bytes
 * @param sha256 the checksum of the whole file, 64 hexadecimal digits in lower case
 * @param documents the number of documents in it
 * @param tokens the number of tokens in it, end-of-text included
 */
public record ShardEntry(String file, long bytes, String sha256, long documents, long tokens) {

  /** Checks the ranges. */
  public ShardEntry {
    Objects.requireNonNull(file, "file");
    Sha256.require("sha256", sha256);
    if (file.isEmpty() || file.contains("/") || file.contains("\\")) {
      throw new IllegalArgumentException("file must be a name without a folder, found " + file);
    }
    if (bytes < 1 || documents < 1 || tokens < documents) {
      throw new IllegalArgumentException(
          "a shard holds documents of at least one token each, found %d bytes, %d documents, %d tokens"
              .formatted(bytes, documents, tokens));
    }
  }
}
