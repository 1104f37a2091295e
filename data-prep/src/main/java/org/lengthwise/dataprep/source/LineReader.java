package org.lengthwise.dataprep.source;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Splits a stream into lines of bytes. At most one line is in memory, up to a limit. */
final class LineReader {

  private final InputStream in;
  private final int limit;
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int end;

  private ByteArrayOutputStream line = new ByteArrayOutputStream();
  private long number;
  private boolean tooLong;
  private boolean blank;

  LineReader(InputStream in, int limit) {
    this.in = in;
    this.limit = limit;
  }

  /** Moves to the next line; false at the end of the stream. */
  boolean advance() throws IOException {
    line.reset();
    tooLong = false;
    blank = true;
    boolean any = false;
    while (position < end || fill()) {
      any = true;
      int newline = position;
      while (newline < end && buffer[newline] != '\n') {
        blank &= buffer[newline] <= ' ' && buffer[newline] >= 0;
        newline++;
      }
      keep(newline - position);
      position = newline + 1;
      if (newline < end) {
        break;
      }
    }
    if (any) {
      number++;
    }
    return any;
  }

  /** The line's bytes without its end; empty if the line is too long. */
  byte[] line() {
    return line.toByteArray();
  }

  /** Whether the line is longer than the limit. */
  boolean isTooLong() {
    return tooLong;
  }

  /** Whether the line has only ASCII white space and control characters. */
  boolean isBlank() {
    return !tooLong && blank;
  }

  /** The line's number, counted from 1; 0 before the first. */
  long number() {
    return number;
  }

  private void keep(int length) {
    if (tooLong || line.size() > limit - length) {
      tooLong = true;
      line = new ByteArrayOutputStream(); // frees the memory of the long line
    } else {
      line.write(buffer, position, length);
    }
  }

  private boolean fill() throws IOException {
    position = 0;
    end = Math.max(0, in.read(buffer, 0, buffer.length));
    return end > 0;
  }
}
