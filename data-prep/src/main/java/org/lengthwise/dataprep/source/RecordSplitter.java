package org.lengthwise.dataprep.source;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Splits a stream into the bytes of records. At most one record is in memory, up to a limit. */
abstract sealed class RecordSplitter permits LineReader, ValueReader {

  private final InputStream in;
  private final int limit;
  final byte[] buffer = new byte[1 << 16];

  /** The next byte to read in {@link #buffer}, and the end of the bytes in it. */
  int position;

  int end;

  /** Counts the lines or the values, from 1; 0 before the first. */
  long number;

  private ByteArrayOutputStream record = new ByteArrayOutputStream();
  private boolean tooLong;

  RecordSplitter(InputStream in, int limit) {
    this.in = in;
    this.limit = limit;
  }

  /** Moves to the next record; false at the end of the stream. */
  abstract boolean advance() throws IOException;

  abstract boolean isBlank();

  /** The record's bytes; empty if the record is too long. */
  final byte[] bytes() {
    return record.toByteArray();
  }

  final boolean isTooLong() {
    return tooLong;
  }

  final long number() {
    return number;
  }

  final void begin() {
    record.reset();
    tooLong = false;
  }

  final void keep(int length) {
    if (tooLong || record.size() > limit - length) {
      tooLong = true;
      record = new ByteArrayOutputStream(); // frees the memory of the long record
    } else {
      record.write(buffer, position, length);
    }
  }

  /** Reads on if the buffer has no further byte; false at the end of the stream. */
  final boolean hasByte() throws IOException {
    if (position == end) {
      position = 0;
      end = Math.max(0, in.read(buffer, 0, buffer.length));
    }
    return position < end;
  }

  static boolean isWhiteSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n';
  }
}
