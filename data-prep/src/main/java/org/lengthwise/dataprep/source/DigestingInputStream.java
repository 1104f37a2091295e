package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.function.LongConsumer;
import org.lengthwise.artifact.AppendedFile.Prefix;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.error.DataFormatException;

/**
 * Computes the number and the checksum of the bytes that are read of an input, and reports the
 * number to a listener.
 *
 * <p>If an earlier run has read the beginning of the input, the stream compares the two beginnings.
 * It rejects an input whose beginning has changed.
 */
final class DigestingInputStream extends ForwardStream {

  private final MessageDigest digest = Sha256.newDigest();
  private final String uri;
  private final Prefix beginning;
  private final LongConsumer listener;
  private long numBytes;

  DigestingInputStream(InputStream in, String uri, Prefix beginning, LongConsumer listener) {
    super(in);
    this.uri = uri;
    this.beginning = beginning;
    this.listener = listener;
  }

  @Override
  public int read(byte[] destination, int offset, int length) throws IOException {
    int count = in.read(destination, offset, (int) Math.min(length, untilComparison()));
    if (count > 0) {
      digest.update(destination, offset, count);
      numBytes += count;
      listener.accept(numBytes);
      if (numBytes == beginning.bytes() && !sha256().equals(beginning.sha256())) {
        throw changed(uri, "other content in its first %s bytes".formatted(numBytes));
      }
    }
    return count;
  }

  /**
   * No read crosses the end of the known beginning, so that the checksum of the beginning can be
   * compared.
   */
  private long untilComparison() {
    long left = beginning.bytes() - numBytes;
    return left > 0 ? left : Long.MAX_VALUE;
  }

  /** Reads the rest. */
  void drain() throws IOException {
    byte[] skipped = new byte[1 << 16];
    while (read(skipped, 0, skipped.length) >= 0) {
      // reads for the count and the checksum only
    }
  }

  long numBytes() {
    return numBytes;
  }

  String sha256() {
    return Sha256.soFar(digest);
  }

  /** Whether the known beginning was read to its end; it was compared then. */
  boolean isPastBeginning() {
    return numBytes >= beginning.bytes();
  }

  static DataFormatException changed(String uri, String found) {
    return new DataFormatException(
        uri,
        "the file that the preparation began with",
        found,
        "restore that file, or remove the unfinished output to start over");
  }
}
