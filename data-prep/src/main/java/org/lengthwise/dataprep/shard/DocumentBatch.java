package org.lengthwise.dataprep.shard;

import java.nio.charset.StandardCharsets;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.Schema;

/** The documents of the record batch that is being filled. */
final class DocumentBatch implements AutoCloseable {
  /** More than the message of any record batch with these columns takes. */
  private static final int MESSAGE_BYTES = 1024;

  private final VectorSchemaRoot root;
  private final ListVector lists;
  private final BaseFixedWidthVector values;
  private final VarCharVector sources;
  private final BigIntVector records;
  private final BigIntVector lengths;
  private final TokenWidth width;
  private final int endOfText;
  private int numRows;
  private int numTokens;
  private long sourceBytes;

  DocumentBatch(Schema schema, TokenizerIdentity tokenizer, BufferAllocator allocator) {
    root = VectorSchemaRoot.create(schema, allocator);
    lists = (ListVector) root.getVector(ShardFormat.TOKENS);
    values = (BaseFixedWidthVector) lists.getDataVector();
    sources = (VarCharVector) root.getVector(ShardFormat.SOURCE);
    records = (BigIntVector) root.getVector(ShardFormat.RECORD);
    lengths = (BigIntVector) root.getVector(ShardFormat.BYTES);
    width = TokenWidth.of(tokenizer.vocabularySize());
    endOfText = tokenizer.endOfText();
  }

  VectorSchemaRoot root() {
    return root;
  }

  int numRows() {
    return numRows;
  }

  int numTokens() {
    return numTokens;
  }

  /** A size in the file that this batch, with one more document, does not exceed. */
  long maxBytesWith(DocumentInfo info, int length) {
    long rows = numRows + 1L;
    long tokens = numTokens + length + 1L;
    long source = sourceBytes + utf8(info).length;
    return MESSAGE_BYTES
        + padded(tokens * width.bytes())
        + padded(bits(tokens))
        + 2 * padded((rows + 1) * Integer.BYTES)
        + padded(source)
        + 2 * padded(rows * Long.BYTES)
        + 4 * padded(bits(rows));
  }

  void append(DocumentInfo info, int[] tokens, int length) {
    byte[] source = utf8(info);
    int end = numTokens + length + 1;
    while (values.getValueCapacity() < end) {
      values.reAlloc();
    }
    lists.startNewValue(numRows);
    for (int i = 0; i < length; i++) {
      width.put(values.getDataBuffer(), numTokens + i, tokens[i]);
    }
    width.put(values.getDataBuffer(), end - 1, endOfText);
    for (int i = numTokens; i < end; i++) {
      values.setIndexDefined(i);
    }
    lists.endValue(numRows, length + 1);
    sources.setSafe(numRows, source);
    records.setSafe(numRows, info.record());
    lengths.setSafe(numRows, info.bytes());
    numRows++;
    numTokens = end;
    sourceBytes += source.length;
  }

  /** Declares the rows complete, so that they can be written. */
  void seal() {
    root.setRowCount(numRows);
  }

  void reset() {
    numRows = 0;
    numTokens = 0;
    sourceBytes = 0;
    root.getFieldVectors().forEach(FieldVector::reset);
  }

  @Override
  public void close() {
    root.close();
  }

  private static byte[] utf8(DocumentInfo info) {
    return info.source().getBytes(StandardCharsets.UTF_8);
  }

  private static long bits(long values) {
    return (values + 7) / 8;
  }

  private static long padded(long bytes) {
    return (bytes + 7) / 8 * 8;
  }
}
