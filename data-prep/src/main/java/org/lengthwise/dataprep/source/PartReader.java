package org.lengthwise.dataprep.source;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.storage.Storage;

/**
 * Reads parts of a corpus, each by itself. The documents and their origins are those that reading
 * the whole corpus gives.
 */
public final class PartReader {

  private final Storage storage;
  private final LongConsumer bytesRead;

  /**
   * A reader of files in one storage.
   *
   * @param storage what holds the files
   * @param bytesRead is told how many bytes each reading step brought
   */
  public PartReader(Storage storage, LongConsumer bytesRead) {
    this.storage = storage;
    this.bytesRead = bytesRead;
  }

  /**
   * Reads the documents of a part.
   *
   * @param part what to read
   * @param documentByteLimit the length in bytes beyond which a document is not taken in
   * @param sink takes the documents
   * @return the identity of the file; empty for an entry, which has none of its own
   * @throws DataFormatException if it cannot be read to its end
   */
  public Optional<InputEntry> read(Part part, int documentByteLimit, DocumentSink sink) {
    DocumentReader reader = new DocumentReader(file(part), documentByteLimit, sink);
    if (part.coversFile()) {
      return Optional.of(Corpus.open(file(part), Place.NOTHING, steps(), reader::read));
    }
    try (SeekableByteChannel channel = storage.openChannel(part.uri())) {
      InputStream content = Channels.newInputStream(channel.position(part.offset()));
      reader.readEntry(
          part.member(),
          new DigestingInputStream(
              new Stretch(content, part.bytes()), part.uri(), Place.NOTHING, steps()));
      return Optional.empty();
    } catch (IOException e) {
      throw Corpus.unreadable(part.uri(), e);
    }
  }

  /**
   * Reads a file for its identity alone.
   *
   * @param part a whole file
   * @return its length and digest
   * @throws DataFormatException if it cannot be read to its end
   */
  public InputEntry digest(Part part) {
    return Corpus.open(file(part), Place.NOTHING, steps(), stream -> {});
  }

  private InputFile file(Part part) {
    FileKind kind = FileKind.of(part.uri()).orElse(FileKind.ANY_TEXT);
    return new InputFile(storage, part.uri(), part.name(), part.bytes(), kind);
  }

  /** A listener to running totals that passes the differences on. */
  private LongConsumer steps() {
    return new LongConsumer() {
      private long before;

      @Override
      public void accept(long total) {
        bytesRead.accept(total - before);
        before = total;
      }
    };
  }

  /** So many bytes of a stream, which has at least as many. */
  private static final class Stretch extends FilterInputStream {

    private long left;

    Stretch(InputStream in, long length) {
      super(in);
      left = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] destination, int offset, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int count = super.read(destination, offset, (int) Math.min(length, left));
      if (count < 0) {
        throw new EOFException("the file ends " + left + " bytes before the entry does");
      }
      left -= count;
      return count;
    }
  }
}
