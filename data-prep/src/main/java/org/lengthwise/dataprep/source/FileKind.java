package org.lengthwise.dataprep.source;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/**
 * How a file is read, decided by its name's extension in any case of letters.
 *
 * @param layout what is in it
 * @param compression what is around it
 */
record FileKind(Layout layout, Compression compression) {

  /** What a decompressed file holds. */
  enum Layout {
    /** One JSON object a line. */
    RECORDS,
    /** One document, the whole file. */
    TEXT,
    /** A tape archive. */
    TAR,
    /** A zip archive. */
    ZIP
  }

  /** How a file's bytes are packed. */
  enum Compression {
    NONE,
    GZIP,
    ZSTD
  }

  /** An archive's entry whatever its name. */
  static final FileKind ANY_TEXT = new FileKind(Layout.TEXT, Compression.NONE);

  private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD};
  private static final int ZSTD_CHECKSUM_FLAG = 1 << 2;

  /** Bytes up to the descriptor of a zstd frame. */
  private static final int ZSTD_BEGINNING = ZSTD_MAGIC.length + 1;

  private record Extension(String suffix, FileKind kind) {
    Extension(String suffix, Layout layout, Compression compression) {
      this(suffix, new FileKind(layout, compression));
    }
  }

  private static final List<Extension> EXTENSIONS =
      List.of(
          new Extension(".jsonl", Layout.RECORDS, Compression.NONE),
          new Extension(".jsonl.zst", Layout.RECORDS, Compression.ZSTD),
          new Extension(".jsonl.gz", Layout.RECORDS, Compression.GZIP),
          new Extension(".txt", Layout.TEXT, Compression.NONE),
          new Extension(".tar", Layout.TAR, Compression.NONE),
          new Extension(".tar.zst", Layout.TAR, Compression.ZSTD),
          new Extension(".tar.gz", Layout.TAR, Compression.GZIP),
          new Extension(".tgz", Layout.TAR, Compression.GZIP),
          new Extension(".zip", Layout.ZIP, Compression.NONE),
          new Extension(".jar", Layout.ZIP, Compression.NONE));

  /** The kind of a file of this name; empty if its extension is none of the known ones. */
  static Optional<FileKind> of(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return EXTENSIONS.stream()
        .filter(extension -> lower.endsWith(extension.suffix()))
        .map(Extension::kind)
        .findFirst();
  }

  /** Every known extension, for people. */
  static String knownExtensions() {
    return String.join(" ", EXTENSIONS.stream().map(Extension::suffix).toList());
  }

  /**
   * Unpacks a stream, to be closed by the caller like any other. A packed stream of no bytes at all
   * is taken for a cut one, which the decoders themselves would let pass as empty.
   *
   * @param withoutChecksum is called if the stream begins with a zstd frame that has no checksum
   */
  InputStream decompress(InputStream packed, Runnable withoutChecksum) throws IOException {
    if (compression == Compression.NONE) {
      return packed;
    }
    PushbackInputStream peeked =
        new PushbackInputStream(new BufferedInputStream(packed, 1 << 16), ZSTD_BEGINNING);
    byte[] beginning = peeked.readNBytes(ZSTD_BEGINNING);
    if (beginning.length == 0) {
      throw new EOFException("an empty file, which no compressed stream is");
    }
    peeked.unread(beginning);
    if (compression == Compression.GZIP) {
      return GzipCompressorInputStream.builder()
          .setInputStream(peeked)
          .setDecompressConcatenated(true)
          .get();
    }
    if (isZstdFrameWithoutChecksum(beginning)) {
      withoutChecksum.run();
    }
    return new ZstdInputStreamNoFinalizer(peeked);
  }

  /** By RFC 8878: after the magic number a descriptor, of which one bit promises a checksum. */
  private static boolean isZstdFrameWithoutChecksum(byte[] beginning) {
    return beginning.length == ZSTD_BEGINNING
        && Arrays.equals(beginning, 0, ZSTD_MAGIC.length, ZSTD_MAGIC, 0, ZSTD_MAGIC.length)
        && (beginning[ZSTD_MAGIC.length] & ZSTD_CHECKSUM_FLAG) == 0;
  }
}
