package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.io.InputStream;

/** Splits a stream into lines. A record has no end of line. */
final class LineReader extends RecordSplitter {

  private boolean blank;

  LineReader(InputStream in, int limit) {
    super(in, limit);
  }

  @Override
  boolean advance() throws IOException {
    begin();
    blank = true;
    if (!hasByte()) {
      return false;
    }
    number++;
    boolean ended = false;
    while (!ended && hasByte()) {
      int newline = position;
      while (newline < end && buffer[newline] != '\n') {
        blank &= isWhiteSpace(buffer[newline]);
        newline++;
      }
      keep(newline - position);
      ended = newline < end;
      position = ended ? newline + 1 : end;
    }
    return true;
  }

  @Override
  boolean isBlank() {
    return !isTooLong() && blank;
  }
}
