package org.lengthwise.dataprep.shard;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What one record batch says of its documents, lying in the mapped file.
 *
 * @param numDocuments the number of rows
 * @param tokenOffsets where each document's tokens start in the batch, and where the last one's end
 * @param sourceOffsets the same for the UTF-8 bytes of the sources
 * @param sources the sources, one after the other
 * @param records the record of each document
 * @param bytes the length of each document's text
 */
record DocumentRun(
    int numDocuments,
    IntBuffer tokenOffsets,
    IntBuffer sourceOffsets,
    ByteBuffer sources,
    LongBuffer records,
    LongBuffer bytes) {

  /** The length of a document in tokens, end-of-text included. */
  int numTokens(int row) {
    return tokenOffsets.get(row + 1) - tokenOffsets.get(row);
  }

  /** The length of a document's text in UTF-8 bytes. */
  long numBytes(int row) {
    return bytes.get(row);
  }

  DocumentInfo info(int row) {
    int start = sourceOffsets.get(row);
    ByteBuffer source = sources.slice(start, sourceOffsets.get(row + 1) - start);
    return new DocumentInfo(
        StandardCharsets.UTF_8.decode(source).toString(), records.get(row), bytes.get(row));
  }
}
