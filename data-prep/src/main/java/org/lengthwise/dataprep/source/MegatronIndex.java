package org.lengthwise.dataprep.source;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import org.lengthwise.error.DataFormatException;

/**
 * The index of a Megatron file: the type of the ids, and the ends of documents. The lists of the
 * index are read side by side, so memory does not depend on their lengths.
 *
 * <pre>
 * Index = "MMIDIDX\0\0", version uint64 = 1, type uint8, S uint64, D uint64,
 *         length int32 [S], offset in bytes int64 [S], first sequence of a document int64 [D]
 * </pre>
 *
 * <p>The first document begins with sequence 0, and the last entry of the third list is S.
 */
final class MegatronIndex implements Closeable {

  /** The magic number, as two little-endian integers: 8 bytes and 1 byte. */
  static final byte[] MAGIC = {'M', 'M', 'I', 'D', 'I', 'D', 'X', 0, 0};

  static final long VERSION = 1;

  static final int HEADER = MAGIC.length + Long.BYTES + 1 + 2 * Long.BYTES;

  private final String uri;
  private final IdType type;
  private final long numSequences;
  private final long numDocuments;
  private final NumberStream lengths;
  private final NumberStream offsets;
  private final NumberStream documents;
  private long numIds;
  private long sequence;
  private long document;
  private long position;

  private MegatronIndex(InputFile file, NumberStream header) throws IOException {
    uri = file.uri();
    for (byte expected : MAGIC) {
      require(header.next(IdType.INT8) == expected, "0: the magic number", "MMIDIDX\\0\\0");
    }
    require(header.next(IdType.INT64) == VERSION, "9: the version", "1");
    long code = header.next(IdType.UINT8);
    type =
        Arrays.stream(IdType.values())
            .filter(candidate -> candidate.code() == code)
            .findFirst()
            .orElseThrow(() -> unlike("17: the type of the ids", "1 to 5 or 8, found " + code));
    numSequences = header.next(IdType.INT64);
    numDocuments = header.next(IdType.INT64);
    long perSequence = Integer.BYTES + Long.BYTES;
    boolean fits =
        numSequences >= 0
            && numSequences <= file.bytes() / perSequence
            && numDocuments >= 1
            && numDocuments <= file.bytes() / Long.BYTES
            && file.bytes() == HEADER + numSequences * perSequence + numDocuments * Long.BYTES;
    require(
        fits,
        "18: the numbers of sequences and documents",
        "numbers that fit the length of the file, found %s and %s in %s bytes"
            .formatted(numSequences, numDocuments, file.bytes()));
    lengths = numbers(file, HEADER);
    offsets = numbers(file, HEADER + numSequences * Integer.BYTES);
    documents = numbers(file, HEADER + numSequences * perSequence);
    try (NumberStream all = numbers(file, HEADER)) {
      for (long i = 0; i < numSequences; i++) {
        long length = all.next(IdType.INT32);
        if (length < 0) {
          throw unlike(
              "%s: the length of sequence %s".formatted(HEADER + i * Integer.BYTES, i),
              "at least 0, found " + length);
        }
        numIds += length;
      }
    }
    require(
        documents.next(IdType.INT64) == 0,
        HEADER + numSequences * perSequence + ": the beginning of the first document",
        "sequence 0");
  }

  /** The index beside a file of ids, as an input without documents. */
  static InputFile of(InputFile ids) {
    String uri = beside(ids.uri());
    try {
      if (ids.storage().exists(uri)) {
        long bytes = ids.storage().list(uri).get(0).bytes();
        FileKind kind = new FileKind(FileKind.Layout.INDEX, FileKind.Compression.NONE);
        return new InputFile(ids.storage(), uri, beside(ids.name()), bytes, kind, ids.reading());
      }
    } catch (IOException e) {
      throw ids.unreadable(e);
    }
    throw new DataFormatException(
        ids.uri(), "its index " + uri, "no such file", "put the two files into one folder");
  }

  static String beside(String bin) {
    return bin.substring(0, bin.length() - ".bin".length()) + ".idx";
  }

  /** Opens the index beside a file of ids, and adds up all lengths. */
  static MegatronIndex open(InputFile ids) throws IOException {
    InputFile file = of(ids);
    try (NumberStream header = numbers(file, 0)) {
      return new MegatronIndex(file, header);
    }
  }

  private static NumberStream numbers(InputFile file, long offset) throws IOException {
    SeekableByteChannel channel = file.storage().openChannel(file.uri());
    return new NumberStream(Channels.newInputStream(channel.position(offset)));
  }

  IdType type() {
    return type;
  }

  long numIds() {
    return numIds;
  }

  /** The number of ids before the end of the next document. */
  long nextBoundary() throws IOException {
    document++;
    require(document < numDocuments, "18: the number of documents", "documents with all sequences");
    long end = documents.next(IdType.INT64);
    if (end < sequence || end > numSequences) {
      throw unlike(
          "%s: the end of document %s"
              .formatted(
                  HEADER + numSequences * (Integer.BYTES + Long.BYTES) + document * Long.BYTES,
                  document),
          "a sequence from %s to %s, found %s".formatted(sequence, numSequences, end));
    }
    for (; sequence < end; sequence++) {
      long offset = offsets.next(IdType.INT64);
      if (offset != position * type.bytes()) {
        throw unlike(
            "%s: the offset of sequence %s"
                .formatted(HEADER + numSequences * Integer.BYTES + sequence * Long.BYTES, sequence),
            "%s, the end of the one before it, found %s"
                .formatted(position * type.bytes(), offset));
      }
      position += lengths.next(IdType.INT32);
    }
    return position;
  }

  private void require(boolean holds, String what, String expected) throws IOException {
    if (!holds) {
      throw unlike(what, expected);
    }
  }

  private IOException unlike(String what, String expected) {
    return new IOException("%s, at byte %s: expected %s".formatted(uri, what, expected));
  }

  @Override
  public void close() throws IOException {
    try (lengths;
        offsets) {
      documents.close();
    }
  }
}
