package org.lengthwise.dataprep.shard;

import java.util.Objects;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * One input file, as the manifest lists it.
 *
 * @param uri where it was read from
 * @param bytes its size in bytes
 * @param sha256 the checksum of the whole file as it lies there, 64 hexadecimal digits in lower
 *     case
 */
public record InputEntry(String uri, long bytes, String sha256) {

  /** Checks the ranges. */
  public InputEntry {
    Objects.requireNonNull(uri, "uri");
    Sha256.require("sha256", sha256);
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative, found " + bytes);
    }
  }
}
