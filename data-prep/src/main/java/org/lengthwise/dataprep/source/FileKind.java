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
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/**
 * The layout and compression of a file. The extension of its name decides both, in upper or lower
 * case.
 *
 * @param layout what the decompressed file holds
 * @param compression how its bytes are packed
 */
record FileKind(Layout layout, Compression compression) {

  /** The layout of a decompressed file. */
  enum Layout {
    /** One JSON object per line. */
    RECORDS,
    /** One document: the whole file. */
    TEXT,
    /** A tape archive. */
    TAR,
    /** A zip archive. */
    ZIP
  }

  /** The compression of a file. */
  enum Compression {
    NONE,
    GZIP,
    ZSTD
  }

  private static final FileKind ANY_TEXT = new FileKind(Layout.TEXT, Compression.NONE);

  private static final String PROGRAMS = "class dll dylib exe o pyc so wasm";
  private static final String IMAGES = "bmp gif ico jpeg jpg png tif tiff webp";
  private static final String PAGES_AND_FONTS = "otf pdf ttf woff woff2";
  private static final String SOUND_AND_FILM = "avi flac mov mp3 mp4 ogg wav webm";
  private static final String PACKED = "7z bz2 gz jar rar tar tgz war xz zip zst";
  private static final String KEYS_AND_SIGNATURES = "dsa jks p12 rsa";

  /** An extension that some program also gives to text is not in this list. */
  private static final Set<String> BINARY_EXTENSIONS =
      Stream.of(PROGRAMS, IMAGES, PAGES_AND_FONTS, SOUND_AND_FILM, PACKED, KEYS_AND_SIGNATURES)
          .flatMap(extensions -> Stream.of(extensions.split(" ", -1)))
          .collect(Collectors.toUnmodifiableSet());

  private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD};
  private static final int ZSTD_CHECKSUM_FLAG = 1 << 2;

  /** The length of a zstd frame's start, including its descriptor. */
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

  /** The kind of a file of this name; empty if its extension is unknown. */
  static Optional<FileKind> of(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return EXTENSIONS.stream()
        .filter(extension -> lower.endsWith(extension.suffix()))
        .map(Extension::kind)
        .findFirst();
  }

  /** The kind of an archive's entry: records by its name, else one text. */
  static FileKind ofEntry(String name) {
    return of(name).filter(kind -> kind.layout() == Layout.RECORDS).orElse(ANY_TEXT);
  }

  /**
   * Whether a name has the extension of a binary format. Most binary files have a zero byte near
   * their start and are recognised by it, but short images, compressed files and signatures may
   * have none.
   */
  static boolean isBinary(String name) {
    String file = name.substring(name.lastIndexOf('/') + 1);
    int dot = file.lastIndexOf('.');
    return dot >= 0 && BINARY_EXTENSIONS.contains(file.substring(dot + 1).toLowerCase(Locale.ROOT));
  }

  /** Whether a file of this kind has entries. */
  boolean isArchive() {
    return layout == Layout.TAR || layout == Layout.ZIP;
  }

  /** All known extensions, for messages. */
  static String knownExtensions() {
    return String.join(" ", EXTENSIONS.stream().map(Extension::suffix).toList());
  }

  /**
   * Unpacks a stream. The caller closes the result. A packed stream without bytes is an error,
   * although the decoders would accept it as empty.
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
      throw new EOFException("an empty file instead of a compressed stream");
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

  /** RFC 8878: a bit of the descriptor, after the magic number, announces a checksum. */
  private static boolean isZstdFrameWithoutChecksum(byte[] beginning) {
    return beginning.length == ZSTD_BEGINNING
        && Arrays.equals(beginning, 0, ZSTD_MAGIC.length, ZSTD_MAGIC, 0, ZSTD_MAGIC.length)
        && (beginning[ZSTD_MAGIC.length] & ZSTD_CHECKSUM_FLAG) == 0;
  }
}
