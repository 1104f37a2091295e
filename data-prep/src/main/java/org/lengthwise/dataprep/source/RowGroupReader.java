package org.lengthwise.dataprep.source;

import java.io.IOException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReaderImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a row group as documents. A null is an empty document. Pages are unpacked one
 * at a time.
 */
final class RowGroupReader implements EntryReader {

  private final DocumentOrigin file;
  private final ColumnDescriptor column;
  private final ParquetColumn.RowGroup group;
  private final int documentByteLimit;
  private @Nullable PageReadStore pages;
  private @Nullable ColumnReader values;
  private long numRead;

  RowGroupReader(
      DocumentOrigin file,
      ColumnDescriptor column,
      ParquetColumn.RowGroup group,
      @Nullable PageReadStore pages,
      int documentByteLimit) {
    this.file = file;
    this.column = column;
    this.group = group;
    this.pages = pages;
    this.documentByteLimit = documentByteLimit;
  }

  @Override
  public @Nullable RawDocument next() throws IOException {
    PageReadStore from = pages;
    if (numRead == group.numRows() || from == null) {
      return null;
    }
    numRead++;
    return ParquetColumn.decoding(group.index(), () -> read(from));
  }

  private RawDocument read(PageReadStore from) {
    ColumnReader reader = values;
    if (reader == null) { // its constructor unpacks the first page
      reader =
          new ColumnReaderImpl(
              column, from.getPageReader(column), new PrimitiveConverter() {}, null);
      values = reader;
    }
    RawDocument document = new RawDocument.PlainText(position(), new Bytes(new byte[0]));
    if (reader.getCurrentDefinitionLevel() == column.getMaxDefinitionLevel()) {
      Binary text = reader.getBinary();
      document =
          text.length() > documentByteLimit
              ? new RawDocument.TooLong(position(), documentByteLimit)
              : new RawDocument.PlainText(position(), new Bytes(text.getBytes()));
    }
    if (numRead < group.numRows()) { // else there is no further page
      reader.consume();
    }
    return document;
  }

  @Override
  public DocumentOrigin position() {
    return file.line(group.firstRow() + numRead);
  }

  @Override
  public void close() {
    if (pages != null) {
      pages.close();
    }
    pages = null;
    values = null;
  }
}
