package org.lengthwise.dataprep.source;

/**
 * What can be read of a corpus by itself: a file, or one entry of a tar that is not compressed.
 *
 * @param uri the input file as the user named it
 * @param name the part of that which stays the same wherever the corpus is kept
 * @param member the entry's name; empty for a file
 * @param offset where the entry's content begins in the tar, behind its header; 0 for a file
 * @param bytes the length of the entry's content, or of the file
 */
public record Part(String uri, String name, String member, long offset, long bytes) {

  /** Checks the ranges. */
  public Part {
    if (offset < 0 || bytes < 0) {
      throw new IllegalArgumentException(
          "offset and bytes must not be negative, found %d and %d".formatted(offset, bytes));
    }
  }

  static Part of(InputFile file) {
    return new Part(file.uri(), file.name(), "", 0, file.bytes());
  }

  /**
   * Tells a file from an entry, which never begins before its header.
   *
   * @return whether this is a whole file
   */
  public boolean coversFile() {
    return offset == 0;
  }
}
