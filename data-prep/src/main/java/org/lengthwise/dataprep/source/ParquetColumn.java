package org.lengthwise.dataprep.source;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.SeekableInputStream;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.error.DataFormatException;

/**
 * The text column of a Parquet file. Only the footer and this column are read, in the order of the
 * file's row groups. Lengths in the file are compared with the file's length and the heap before
 * memory is taken.
 */
final class ParquetColumn implements Closeable {

  /** Instead of the number of a row group in messages. */
  private static final int FOOTER = -1;

  /** The end of a file: the length of the footer, and the magic number. */
  private static final int TAIL = 8;

  private static final int MAGIC = 'P' | ('A' << 8) | ('R' << 16) | ('1' << 24);

  /** A footer of n bytes becomes about 10 n bytes of objects. */
  private static final int HEAP_PER_FOOTER = 16;

  /** A row group's packed column, and one unpacked page, may each take a quarter of the heap. */
  private static final int HEAP_PER_ROW_GROUP = 4;

  /**
   * A row group, as far as the text column is concerned.
   *
   * @param firstRow the number of rows before it
   */
  record RowGroup(int index, long firstRow, long numRows, long offset, long bytes) {}

  private final InputFile file;
  private final ParquetFileReader reader;
  private final ColumnDescriptor column;
  private final List<RowGroup> rowGroups;

  private ParquetColumn(
      InputFile file, ParquetFileReader reader, ColumnDescriptor column, List<RowGroup> groups) {
    this.file = file;
    this.reader = reader;
    this.column = column;
    rowGroups = groups;
  }

  /**
   * Reads the footer, and finds the column.
   *
   * @param bytes reads the channel at its position; closed with the column
   */
  static ParquetColumn open(InputFile file, SeekableByteChannel channel, InputStream bytes)
      throws IOException {
    ParquetFileReader reader = openFile(channel, bytes);
    return decoding(
        FOOTER,
        () -> {
          ColumnDescriptor column =
              ParquetSchema.textColumn(file, reader.getFileMetaData().getSchema());
          reader.setRequestedSchema(List.of(column));
          List<RowGroup> groups = rowGroups(reader, column, channel.size());
          return new ParquetColumn(file, reader, column, groups);
        });
  }

  static ParquetFileReader openFile(SeekableByteChannel channel, InputStream bytes)
      throws IOException {
    long heap = Runtime.getRuntime().maxMemory();
    requireFooter(channel, heap / HEAP_PER_FOOTER);
    return decoding(
        FOOTER,
        () ->
            ParquetFileReader.open(
                new Opened(channel, bytes),
                ParquetReadOptions.builder(new PlainParquetConfiguration())
                    .withCodecFactory(new PageUnpacker(heap / HEAP_PER_ROW_GROUP))
                    .usePageChecksumVerification(true)
                    .build()));
  }

  private static void requireFooter(SeekableByteChannel channel, long limit) throws IOException {
    ByteBuffer tail = ByteBuffer.allocate(TAIL).order(ByteOrder.LITTLE_ENDIAN);
    if (channel.size() >= TAIL) {
      channel.position(channel.size() - TAIL);
      while (tail.hasRemaining() && channel.read(tail) >= 0) {
        // reads until the buffer is full
      }
    }
    if (tail.hasRemaining() || tail.getInt(Integer.BYTES) != MAGIC) {
      throw new IOException("a file that does not end with PAR1, as each Parquet file does");
    }
    long length = Integer.toUnsignedLong(tail.getInt(0));
    if (length > channel.size() - TAIL) {
      throw new IOException(
          "a footer of %s bytes in a file of %s"
              .formatted(Count.of(length), Count.of(channel.size())));
    }
    if (length > limit) {
      throw new IOException(
          "a footer of %s bytes; the heap allows %s, and LENGTHWISE_OPTS=-Xmx sets the heap"
              .formatted(Count.of(length), Count.of(limit)));
    }
  }

  private static List<RowGroup> rowGroups(
      ParquetFileReader reader, ColumnDescriptor column, long fileBytes) throws IOException {
    ColumnPath path = ColumnPath.get(column.getPath());
    List<RowGroup> groups = new ArrayList<>();
    long firstRow = 0;
    for (BlockMetaData block : reader.getRowGroups()) {
      int index = groups.size();
      ColumnChunkMetaData chunk =
          block.getColumns().stream()
              .filter(found -> found.getPath().equals(path))
              .findFirst()
              .orElseThrow(() -> new IOException("row group " + index + " lacks the column"));
      long offset = chunk.getStartingPos();
      long bytes = chunk.getTotalSize();
      boolean isInside = offset >= 0 && bytes >= 0 && bytes <= fileBytes - offset;
      if (!isInside || block.getRowCount() < 0 || chunk.getValueCount() != block.getRowCount()) {
        throw new IOException(
            "row group %s: %s values for %s rows, in %s bytes at byte %s of %s"
                .formatted(
                    index, chunk.getValueCount(), block.getRowCount(), bytes, offset, fileBytes));
      }
      groups.add(new RowGroup(index, firstRow, block.getRowCount(), offset, bytes));
      firstRow += block.getRowCount();
    }
    return List.copyOf(groups);
  }

  List<RowGroup> rowGroups() {
    return rowGroups;
  }

  EntryReader read(RowGroup group, int documentByteLimit) throws IOException {
    long limit = Runtime.getRuntime().maxMemory() / HEAP_PER_ROW_GROUP;
    if (group.bytes() > limit) {
      throw new IOException(
          "row group %s: %s bytes of text, packed; the heap allows %s, and LENGTHWISE_OPTS=-Xmx%sg suffices"
              .formatted(
                  group.index(),
                  Count.of(group.bytes()),
                  Count.of(limit),
                  ((HEAP_PER_ROW_GROUP * group.bytes()) >> 30) + 1));
    }
    return decoding(
        group.index(),
        () ->
            new RowGroupReader(
                file.origin(),
                column,
                group,
                group.numRows() == 0 ? null : reader.readRowGroup(group.index()),
                documentByteLimit));
  }

  /**
   * Calls Parquet's reader, with the row group's number for messages. A damaged file may make it
   * throw any exception, and a damaged count may make it ask for any memory.
   */
  static <T> T decoding(int rowGroup, Callable<T> call) throws IOException {
    try {
      return call.call();
    } catch (ConfigException | DataFormatException e) {
      throw e;
    } catch (Exception | OutOfMemoryError | StackOverflowError e) {
      Throwable cause = e.getCause() instanceof IOException io ? io : e;
      String where = rowGroup == FOOTER ? "the footer: " : "row group " + rowGroup + ": ";
      throw new IOException(where + (cause.getMessage() == null ? cause : cause.getMessage()), e);
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private record Opened(SeekableByteChannel channel, InputStream bytes)
      implements org.apache.parquet.io.InputFile {

    @Override
    public long getLength() throws IOException {
      return channel.size();
    }

    @Override
    public SeekableInputStream newStream() {
      return new DelegatingSeekableInputStream(bytes) {
        @Override
        public long getPos() throws IOException {
          return channel.position();
        }

        @Override
        public void seek(long position) throws IOException {
          channel.position(position);
        }
      };
    }
  }
}
