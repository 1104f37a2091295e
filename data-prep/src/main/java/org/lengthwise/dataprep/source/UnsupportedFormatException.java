package org.lengthwise.dataprep.source;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.DataFormatException;

/** A sound file in a form that is not read. */
final class UnsupportedFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String advice;

  UnsupportedFormatException(String found, String advice) {
    super(found);
    this.advice = advice;
  }

  /** The exception among the causes of a failure, also that of zstd; null if there is none. */
  static @Nullable UnsupportedFormatException in(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnsupportedFormatException unsupported) {
        return unsupported;
      }
      if (cause instanceof ZstdIOException zstd
          && zstd.getErrorCode() == Zstd.errFrameParameterWindowTooLarge()) {
        return new UnsupportedFormatException(
            "a zstd window larger than zstd_window_log allows, as zstd --long=28 and more make it",
            "allow it, for example with --set zstd_window_log=31, which may take 2 GiB of memory");
      }
    }
    return null;
  }

  DataFormatException of(String where) {
    return new DataFormatException(
        where, "a form of the file that is read", String.valueOf(getMessage()), advice, this);
  }
}
