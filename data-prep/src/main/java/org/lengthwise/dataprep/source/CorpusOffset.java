package org.lengthwise.dataprep.source;

import org.lengthwise.artifact.AppendedFile.Prefix;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.Checks;

/**
 * An offset between two documents of a corpus. A later run can start at this offset.
 *
 * @param entry the number of whole archive entries before the offset; 0 if the file is not an
 *     archive
 * @param documents the number of documents of the same entry, or of the file, before the offset
 * @param content the bytes of the file that were read so far; a later run compares them
 */
public record CorpusOffset(int file, long entry, long documents, Prefix content) {

  static final Prefix NOTHING = new Prefix(0, Sha256.of(new byte[0]));

  public CorpusOffset {
    Checks.atLeast("file", file, 0);
    Checks.atLeast("entry", entry, 0);
    Checks.atLeast("documents", documents, 0);
  }

  public static CorpusOffset startOf(int file) {
    return new CorpusOffset(file, 0, 0, NOTHING);
  }
}
