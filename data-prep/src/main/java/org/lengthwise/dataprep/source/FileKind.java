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
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.config.EnumName;
import org.lengthwise.input.FileFormat;
import org.tukaani.xz.XZInputStream;

/**
 * The layout and compression of a file. The extension of its name decides both, in upper or lower
 * case.
 */
record FileKind(Layout layout, Compression compression) {

  enum Layout {
    RECORDS,
    /** One document: the whole file. */
    TEXT,
    TAR,
    ZIP,
    /** A table, of which one column holds a document in each row. */
    PARQUET,
    /** Token ids instead of text. */
    TOKENS,
    /** A description of token ids, without documents. */
    INDEX
  }

  enum Compression {
    NONE,
    GZIP,
    ZSTD,
    XZ
  }

  /** The length of a tar's header in bytes. */
  static final int TAR_BLOCK = 512;

  private static final byte[] TAR_MAGIC = {'u', 's', 't', 'a', 'r'};
  private static final int TAR_MAGIC_OFFSET = 257;

  private static final String JSON = ".json";
  private static final Pattern MAC_ENTRY = Pattern.compile("(^|/)(__MACOSX/|\\._[^/]*$)");

  private static final FileKind ANY_TEXT = new FileKind(Layout.TEXT, Compression.NONE);
  private static final FileKind XZ_TEXT = new FileKind(Layout.TEXT, Compression.XZ);

  private static final String PROGRAMS = "class dll dylib exe o pyc so wasm";
  private static final String IMAGES = "bmp gif ico jpeg jpg png tif tiff webp";
  private static final String PAGES_AND_FONTS = "otf pdf ttf woff woff2";
  private static final String SOUND_AND_FILM = "avi flac mov mp3 mp4 ogg wav webm";
  private static final String PACKED = "7z bz2 gz jar parquet rar tar tgz war zip zst";
  private static final String KEYS_AND_SIGNATURES = "dsa jks p12 rsa";

  /** An extension that some program also gives to text is not in this list. */
  private static final Set<String> BINARY_EXTENSIONS =
      Stream.of(PROGRAMS, IMAGES, PAGES_AND_FONTS, SOUND_AND_FILM, PACKED, KEYS_AND_SIGNATURES)
          .flatMap(extensions -> Stream.of(extensions.split(" ", -1)))
          .collect(Collectors.toUnmodifiableSet());

  private static final int ZSTD_MAGIC_BYTES = 4;
  private static final int ZSTD_CHECKSUM_FLAG = 1 << 2;
  private static final int XZ_CHECK_BITS = 0xF;

  /** Two of the largest dictionaries of the presets of {@code xz}; the strongest needs 65 MiB. */
  private static final int XZ_MEMORY_KIB = 1 << 17;

  /** The bytes that announce a checksum: those of an xz stream, of which zstd needs fewer. */
  private static final int BEGINNING = 8;

  private record Extension(String suffix, FileKind kind) {
    Extension(String suffix, Layout layout, Compression compression) {
      this(suffix, new FileKind(layout, compression));
    }
  }

  private static final List<Extension> EXTENSIONS =
      Stream.of(
              packed(Layout.RECORDS, ".jsonl", ".json", ".ndjson", ".jl"),
              packed(Layout.TEXT, ".txt"),
              packed(Layout.TAR, ".tar"),
              Stream.of(
                  new Extension(".tgz", Layout.TAR, Compression.GZIP),
                  new Extension(".zip", Layout.ZIP, Compression.NONE),
                  new Extension(".jar", Layout.ZIP, Compression.NONE),
                  new Extension(".parquet", Layout.PARQUET, Compression.NONE)))
          .flatMap(Function.identity())
          .toList();

  private static final List<Extension> TOKEN_EXTENSIONS =
      List.of(new Extension(".bin", Layout.TOKENS, Compression.NONE));

  /** Extensions alone and before those of each compression. */
  private static Stream<Extension> packed(Layout layout, String... suffixes) {
    return Stream.of(suffixes)
        .flatMap(
            suffix ->
                Stream.of(
                    new Extension(suffix, layout, Compression.NONE),
                    new Extension(suffix + ".gz", layout, Compression.GZIP),
                    new Extension(suffix + ".zst", layout, Compression.ZSTD),
                    new Extension(suffix + ".xz", layout, Compression.XZ)));
  }

  /** The kind of a file of this name; empty if its extension is unknown. */
  static Optional<FileKind> of(String name, Reading reading) {
    return of(name, reading.tokens() == null ? EXTENSIONS : TOKEN_EXTENSIONS);
  }

  static Optional<FileKind> of(String name) {
    return of(name, EXTENSIONS);
  }

  private static Optional<FileKind> of(String name, List<Extension> extensions) {
    String lower = name.toLowerCase(Locale.ROOT);
    return extensions.stream()
        .filter(extension -> lower.endsWith(extension.suffix()))
        .map(Extension::kind)
        .findFirst();
  }

  /**
   * The kind of an archive's entry: records by its name, else one text. Only xz is unpacked: an
   * entry with another compression is binary, unless it holds records. A {@code .json} is a text,
   * as in an archive of programs, until its content shows records.
   */
  static FileKind ofEntry(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return of(name)
        .filter(kind -> kind.layout() == Layout.RECORDS && !isJson(name) && !isOfMac(name))
        .orElse(lower.endsWith(".xz") && !isOfMac(name) ? XZ_TEXT : ANY_TEXT);
  }

  static boolean isJson(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith(JSON);
  }

  /** Whether an entry's name is one that macOS gives to what it stores beside a file. */
  private static boolean isOfMac(String name) {
    return MAC_ENTRY.matcher(name).find();
  }

  /** Whether the first block of a file is the header of a tar's entry. */
  static boolean isTar(byte[] beginning) {
    int end = TAR_MAGIC_OFFSET + TAR_MAGIC.length;
    return beginning.length == TAR_BLOCK
        && Arrays.equals(beginning, TAR_MAGIC_OFFSET, end, TAR_MAGIC, 0, TAR_MAGIC.length);
  }

  /**
   * Whether a name has the extension of a binary format. Most binary files have a zero byte near
   * their start and are recognised by it, but short images, compressed files and signatures may
   * have none.
   */
  static boolean isBinary(String name) {
    String file = name.substring(name.lastIndexOf('/') + 1);
    int dot = file.lastIndexOf('.');
    return isOfMac(name)
        || (dot >= 0
            && BINARY_EXTENSIONS.contains(file.substring(dot + 1).toLowerCase(Locale.ROOT)));
  }

  /** Whether a file of this kind may have a format; ids may begin with any bytes. */
  boolean mayBe(FileFormat format) {
    return switch (layout) {
      case TOKENS, INDEX -> true;
      case PARQUET -> format == FileFormat.PARQUET;
      case ZIP -> format == FileFormat.ZIP || format == FileFormat.TEXT; // begins with a script
      case RECORDS, TEXT, TAR ->
          compression == Compression.NONE
              ? format == FileFormat.TEXT || (format == FileFormat.PAGE && layout != Layout.RECORDS)
              : format.name().equals(compression.name());
    };
  }

  /** The kind for display, such as {@code records, zstd}. */
  String inWords() {
    return compression == Compression.NONE
        ? EnumName.of(layout)
        : EnumName.of(layout) + ", " + EnumName.of(compression);
  }

  boolean isArchive() {
    return layout == Layout.TAR || layout == Layout.ZIP;
  }

  static String knownExtensions(Reading reading) {
    return reading.tokens() == null
        ? ".jsonl .json .ndjson .jl .txt .tar, each also with .gz, .zst or .xz; .tgz .zip .jar .parquet"
        : ".bin";
  }

  /**
   * Unpacks a stream. The caller closes the result. A packed stream without bytes is an error,
   * although the decoders would accept it as empty.
   */
  InputStream decompress(InputStream packed, EntryReader.Settings settings) throws IOException {
    if (compression == Compression.NONE) {
      return packed;
    }
    PushbackInputStream peeked =
        new PushbackInputStream(new BufferedInputStream(packed, 1 << 16), BEGINNING);
    byte[] beginning = peeked.readNBytes(BEGINNING);
    if (beginning.length == 0) {
      throw new EOFException("an empty file instead of a compressed stream");
    }
    peeked.unread(beginning);
    if (lacksChecksum(beginning)) {
      settings.withoutChecksum().run();
    }
    return new LibraryStream(
        switch (compression) {
          case NONE -> packed;
          case GZIP -> GzipMembers.of(peeked);
          case ZSTD ->
              new ZstdInputStreamNoFinalizer(peeked).setLongMax(settings.reading().zstdWindowLog());
          case XZ -> new XZInputStream(peeked, XZ_MEMORY_KIB);
        });
  }

  /**
   * RFC 8878: a bit of the descriptor, after the magic number, announces a checksum. In xz it is
   * the last byte of the stream's flags.
   */
  private static boolean lacksChecksum(byte[] beginning) {
    if (beginning.length < BEGINNING) {
      return false;
    }
    FileFormat format = FileFormat.of(beginning);
    return format == FileFormat.ZSTD
        ? (beginning[ZSTD_MAGIC_BYTES] & ZSTD_CHECKSUM_FLAG) == 0
        : format == FileFormat.XZ && (beginning[BEGINNING - 1] & XZ_CHECK_BITS) == 0;
  }
}
