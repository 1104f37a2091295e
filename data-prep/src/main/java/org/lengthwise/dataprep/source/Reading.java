package org.lengthwise.dataprep.source;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the names of files do not say about their documents.
 *
 * @param textColumn the column of a Parquet file that holds the text; {@code a.b} is the field b of
 *     the column a
 * @param tokens the format of files of token ids; null if the files hold text
 */
public record Reading(String textColumn, @Nullable TokenFiles tokens) {

  /** Files of text, in Parquet under {@code text}. */
  public static final Reading TEXT = new Reading("text", null);

  /** Requires a column. */
  public Reading {
    Objects.requireNonNull(textColumn, "textColumn");
  }
}
