package org.lengthwise.dataprep.source;

import org.lengthwise.dataprep.artifact.AppendedFile.Mark;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * A place between two documents of a corpus, to which a later reading can go on from.
 *
 * @param file the file's index in the corpus
 * @param entry how many entries of the file, if it is an archive, lie wholly before the place
 * @param documents how many documents of the entry, or of a file that is no archive, lie before it
 * @param content the bytes of the file that were read to get there
 */
public record Place(int file, long entry, long documents, Mark content) {

  /** No byte at all. */
  static final Mark NOTHING = new Mark(0, Sha256.of(new byte[0]));

  /** Checks the ranges. */
  public Place {
    if (file < 0 || entry < 0 || documents < 0) {
      throw new IllegalArgumentException(
          "a place must not be negative, found file %d, entry %d, document %d"
              .formatted(file, entry, documents));
    }
  }

  /**
   * The place before the first document of a file.
   *
   * @param file the file's index in the corpus
   * @return its start
   */
  public static Place startOf(int file) {
    return new Place(file, 0, 0, NOTHING);
  }
}
