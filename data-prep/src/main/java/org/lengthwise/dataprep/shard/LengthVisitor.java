package org.lengthwise.dataprep.shard;

/** Is told the lengths of documents, one document after the other. */
@FunctionalInterface
public interface LengthVisitor {

  /**
   * Takes one document.
   *
   * @param numTokens its length in tokens, end-of-text included
   * @param numBytes the length of its text in UTF-8 bytes
   */
  void visit(int numTokens, long numBytes);
}
