package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.ConfigException;

/**
 * Reads the documents of a token file. A document ends with the end-of-text id, at a boundary of
 * Megatron's index, or at the end of the file. An end-of-text id at the beginning of a file begins
 * the first document, as llm.c writes it.
 */
final class TokenReader implements EntryReader {

  /** The layout of llm.c's files: the header has 256 int32. */
  static final int LLM_C_HEADER = 1024;

  static final int LLM_C_NARROW = 20240520;
  static final int LLM_C_WIDE = 20240801;
  private static final int LLM_C_NARROW_VERSION = 1;
  private static final int LLM_C_WIDE_VERSION = 7;

  private static final int FIRST_IDS = 1 << 10;

  /** Of fewer ids nothing is said. */
  private static final int FEWEST_JUDGED = 32;

  /** The largest share of zeros among the first, third and further ids of a text. */
  private static final double MOST_ZEROS = 0.9;

  private final DocumentOrigin file;
  private final TokenFiles format;
  private final Layout layout;
  private final NumberStream ids;
  private final @Nullable MegatronIndex index;
  private final int mostIds;
  private final int documentByteLimit;
  private long position;
  private long boundary;
  private long numDocuments;

  private record Layout(int headerBytes, IdType type, long numIds) {}

  private TokenReader(
      InputFile file,
      TokenFiles format,
      Layout layout,
      NumberStream ids,
      @Nullable MegatronIndex index,
      int documentByteLimit) {
    this.file = file.origin();
    this.format = format;
    this.layout = layout;
    this.ids = ids;
    this.index = index;
    this.documentByteLimit = documentByteLimit;
    mostIds = documentByteLimit / Integer.BYTES;
    boundary = index == null ? layout.numIds() : 0;
  }

  static TokenReader open(InputFile file, InputStream bytes, int documentByteLimit)
      throws IOException {
    TokenFiles format = file.tokens();
    NumberStream ids = new NumberStream(bytes);
    MegatronIndex index = null;
    Layout layout;
    switch (format.format()) {
      case NANOGPT -> {
        requireNoIndex(file);
        layout = new Layout(0, IdType.UINT16, file.bytes() / IdType.UINT16.bytes());
      }
      case LLM_C -> layout = llmC(ids);
      case MEGATRON -> {
        index = MegatronIndex.open(file);
        layout = new Layout(0, index.type(), index.numIds());
      }
      default -> throw new AssertionError(format);
    }
    long expected = layout.headerBytes() + layout.numIds() * layout.type().bytes();
    if (file.bytes() != expected) {
      throw new IOException(
          "%s bytes; %s ids of %s need %s"
              .formatted(file.bytes(), layout.numIds(), layout.type(), expected));
    }
    requireOtherThanZero(ids.buffered(layout.type(), FIRST_IDS));
    return new TokenReader(file, format, layout, ids, index, documentByteLimit);
  }

  /**
   * Requires ids of the stated width. If they are wider in the file, nearly every second number
   * that is read is a zero, which no text has.
   */
  private static void requireOtherThanZero(long[] first) throws IOException {
    for (int parity = 0; parity < 2; parity++) {
      int zeros = 0;
      for (int i = parity; i < first.length; i += 2) {
        zeros += first[i] == 0 ? 1 : 0;
      }
      if (first.length >= FEWEST_JUDGED && zeros > MOST_ZEROS * first.length / 2) {
        throw new IOException(
            "%s of the first %s ids are 0, every second one: the file has wider ids"
                .formatted(zeros, first.length));
      }
    }
  }

  /** Ids of another type would be read as pairs of uint16. */
  private static void requireNoIndex(InputFile file) throws IOException {
    String index = MegatronIndex.beside(file.uri());
    if (file.storage().exists(index)) {
      throw new ConfigException(
          "--tokens nanogpt",
          "a file without an index",
          index,
          "read it with --tokens megatron, or move the index away");
    }
  }

  private static Layout llmC(NumberStream in) throws IOException {
    long magic = in.next(IdType.INT32);
    long version = in.next(IdType.INT32);
    long numIds = in.next(IdType.INT32);
    boolean narrow = magic == LLM_C_NARROW && version == LLM_C_NARROW_VERSION;
    boolean wide = magic == LLM_C_WIDE && version == LLM_C_WIDE_VERSION;
    if (!narrow && !wide) {
      throw new IOException(
          "at byte 0 the magic number %s and the version %s; expected %s and %s, or %s and %s"
              .formatted(
                  magic,
                  version,
                  LLM_C_NARROW,
                  LLM_C_NARROW_VERSION,
                  LLM_C_WIDE,
                  LLM_C_WIDE_VERSION));
    }
    if (numIds < 0) {
      throw new IOException(
          "at byte 8 the number of ids %s; expected at least 0".formatted(numIds));
    }
    for (int read = 3 * Integer.BYTES; read < LLM_C_HEADER; read += Integer.BYTES) {
      in.next(IdType.INT32);
    }
    return new Layout(LLM_C_HEADER, narrow ? IdType.UINT16 : IdType.UINT32, numIds);
  }

  long numIds() {
    return layout.numIds();
  }

  IdType type() {
    return layout.type();
  }

  int[] beginning(int most) throws IOException {
    int[] first = new int[(int) Math.min(most, layout.numIds())];
    int count = 0;
    for (int i = 0; i < first.length; i++) {
      int id = readId();
      if (format.ends(id) && i > 0) {
        break;
      }
      first[count++] = id;
    }
    return Arrays.copyOf(first, count);
  }

  @Override
  public @Nullable RawDocument next() throws IOException {
    int[] document = new int[Math.min(FIRST_IDS, mostIds)];
    int count = 0;
    boolean ended = false;
    while (!ended && position < layout.numIds()) {
      if (position == boundary) {
        boundary = Objects.requireNonNull(index).nextBoundary();
        if (count > 0) {
          break;
        }
        continue; // a document without ids, or the first one
      }
      int id = readId();
      ended = format.ends(id) && position > 1;
      if (!format.ends(id)) {
        if (count < mostIds) {
          if (count == document.length) {
            document = Arrays.copyOf(document, (int) Math.min(2L * count, mostIds));
          }
          document[count] = id;
        }
        count++;
      }
    }
    if (count == 0 && !ended) {
      return null;
    }
    numDocuments++;
    return count > mostIds
        ? new RawDocument.TooLong(position(), documentByteLimit)
        : new RawDocument.TokenIds(position(), Arrays.copyOf(document, count));
  }

  private int readId() throws IOException {
    long id = ids.next(layout.type());
    if (id < 0 || (id >= format.vocabularySize() && !format.ends((int) id))) {
      throw new IOException(
          "at byte %s the id %s; the vocabulary has the ids 0 to %s"
              .formatted(
                  layout.headerBytes() + position * layout.type().bytes(),
                  id,
                  format.vocabularySize() - 1));
    }
    position++;
    return (int) id;
  }

  @Override
  public DocumentOrigin position() {
    return file.line(numDocuments);
  }

  @Override
  public void close() throws IOException {
    if (index != null) {
      index.close();
    }
  }
}
