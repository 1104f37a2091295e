package org.lengthwise.dataprep.shard;

import java.util.Objects;
import org.lengthwise.config.Checks;

/**
 * An input file in the manifest.
 *
 * @param sha256 the SHA-256 of the stored file (compressed if it is compressed), in hexadecimal; of
 *     a Parquet file that of its footer and its text column, in the order of the row groups
 */
public record InputEntry(String uri, long bytes, String sha256) {

  public InputEntry {
    Objects.requireNonNull(uri, "uri");
    Checks.sha256("sha256", sha256);
    Checks.atLeast("bytes", bytes, 0);
  }
}
