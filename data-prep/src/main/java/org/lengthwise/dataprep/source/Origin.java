package org.lengthwise.dataprep.source;

/**
 * Where a document was found.
 *
 * @param uri the input file as the user named it
 * @param name the part of that which stays the same wherever the corpus is kept
 * @param member the entry's name inside an archive; empty when the input is no archive
 * @param line the line, counted from 1; 0 when the document is the whole file or entry
 */
public record Origin(String uri, String name, String member, long line) {

  /**
   * An entry of this archive.
   *
   * @param entry the entry's name
   * @return the whole entry
   */
  public Origin member(String entry) {
    return new Origin(uri, name, entry, 0);
  }

  /**
   * A line of this file or entry.
   *
   * @param number the line, counted from 1
   * @return this origin at that line
   */
  public Origin line(long number) {
    return new Origin(uri, name, member, number);
  }

  /**
   * The file, and the entry in it, by the name that is the same on every machine.
   *
   * @return {@code name}, or {@code name!member}
   */
  public String source() {
    return member.isEmpty() ? name : name + "!" + member;
  }

  /** Where a person finds it: {@code uri!member:line}, without what is absent. */
  @Override
  public String toString() {
    return uri + (member.isEmpty() ? "" : "!" + member) + (line == 0 ? "" : ":" + line);
  }
}
