package org.lengthwise.dataprep.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A stream of a library that unpacks. Its unchecked exceptions mean damaged bytes. */
final class LibraryStream extends FilterInputStream {

  LibraryStream(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    return guarded(super::read);
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    return guarded(() -> super.read(buffer, offset, length));
  }

  @Override
  public long skip(long count) throws IOException {
    return guarded(() -> super.skip(count));
  }

  interface Call<T extends @Nullable Object> {
    T call() throws IOException;
  }

  /** The result of a call of the library. */
  static <T extends @Nullable Object> T guarded(Call<T> call) throws IOException {
    try {
      return call.call();
    } catch (RuntimeException e) {
      throw new IOException("content that cannot be unpacked", e);
    }
  }
}
