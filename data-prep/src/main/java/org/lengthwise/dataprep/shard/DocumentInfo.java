package org.lengthwise.dataprep.shard;

import java.util.Objects;
import org.lengthwise.config.Checks;

/**
 * The origin of a document, stored with its tokens.
 *
 * @param source the input file's name, with {@code !} and the entry's name if the file is an
 *     archive
 * @param record the line in the source, from 1; 0 if the document is the whole source
 * @param bytes the length of its text in UTF-8 bytes
 */
public record DocumentInfo(String source, long record, long bytes) {

  public DocumentInfo {
    Objects.requireNonNull(source, "source");
    Checks.atLeast("record", record, 0);
    Checks.atLeast("bytes", bytes, 0);
  }
}
