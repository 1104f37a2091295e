package org.lengthwise.dataprep.source;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the names of files do not say about their documents.
 *
 * @param textColumn the column of a Parquet file that holds the text; {@code a.b} is the field b of
 *     the column a
 * @param tokens the format of files of token ids; null if the files hold text
 * @param zstdWindowLog the largest window of zstd that is read, as a power of two of bytes
 */
public record Reading(String textColumn, @Nullable TokenFiles tokens, int zstdWindowLog) {

  /** The largest window that zstd itself reads without an option: 128 MiB. */
  public static final int ZSTD_WINDOW_LOG = 27;

  /** Files of text, in Parquet under {@code text}. */
  public static final Reading TEXT = new Reading("text", null, ZSTD_WINDOW_LOG);

  public Reading {
    Objects.requireNonNull(textColumn, "textColumn");
  }

  Reading withColumn(String column) {
    return new Reading(column, tokens, zstdWindowLog);
  }
}
