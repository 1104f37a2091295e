package org.lengthwise.dataprep.source;

/**
 * The origin of a document: its file, archive entry and line.
 *
 * @param uri the input file, as the user named it
 * @param name the end of {@code uri}, which does not depend on where the corpus is stored
 * @param member the entry's name inside an archive; empty if the file is not an archive
 * @param line the line, counted from 1; 0 if the document is a whole file or entry
 */
public record DocumentOrigin(String uri, String name, String member, long line) {

  public DocumentOrigin member(String entry) {
    return new DocumentOrigin(uri, name, entry, 0);
  }

  public DocumentOrigin line(long number) {
    return new DocumentOrigin(uri, name, member, number);
  }

  /**
   * {@return {@code name}, or {@code name!member}: the file and the entry by a name that is the
   * same on every machine} Shards store this name.
   */
  public String source() {
    return member.isEmpty() ? name : name + "!" + member;
  }

  /** The origin for messages: {@code uri!member:line}, without absent parts. */
  @Override
  public String toString() {
    return uri + (member.isEmpty() ? "" : "!" + member) + (line == 0 ? "" : ":" + line);
  }
}
