package org.lengthwise.dataprep.source;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.function.LongConsumer;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.storage.Storage;

/**
 * Reads single parts of a corpus. The documents and their origins are the same as in a reading of
 * the whole corpus.
 */
public final class PartReader {

  private final Storage storage;
  private final Reading reading;
  private final LongConsumer bytesRead;

  /** A reader of files in one storage. The listener receives the number of bytes of each read. */
  public PartReader(Storage storage, Reading reading, LongConsumer bytesRead) {
    this.storage = storage;
    this.reading = reading;
    this.bytesRead = bytesRead;
  }

  public DocumentReader open(Part part, int documentByteLimit) {
    InputFile file = file(part);
    CorpusOffset start = CorpusOffset.startOf(0);
    if (part.coversFile()) {
      return DocumentReader.ofFile(file, start, documentByteLimit, steps());
    }
    if (file.kind().layout() == FileKind.Layout.PARQUET) {
      return DocumentReader.ofRowGroups(file, part, start, documentByteLimit, steps());
    }
    try {
      InputStream content = new LimitedStream(openAt(part.offset(), part.uri()), part.bytes());
      DigestingInputStream bytes =
          new DigestingInputStream(content, part.uri(), CorpusOffset.NOTHING, steps());
      return DocumentReader.ofEntry(file, part, bytes, documentByteLimit);
    } catch (IOException e) {
      throw file.unreadable(e);
    }
  }

  private InputStream openAt(long offset, String uri) throws IOException {
    SeekableByteChannel channel = storage.openChannel(uri);
    try {
      return Channels.newInputStream(channel.position(offset));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  public InputEntry digest(Part part) {
    return file(part).digest(steps());
  }

  private InputFile file(Part part) {
    FileKind kind = FileKind.of(part.uri(), reading).orElseThrow();
    return new InputFile(storage, part.uri(), part.name(), part.bytes(), kind, reading);
  }

  /** Turns running totals into the number of bytes of each read. */
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

  /** The first bytes of a stream, which must have at least as many. */
  private static final class LimitedStream extends ForwardStream {

    private long left;

    LimitedStream(InputStream in, long length) {
      super(in);
      left = length;
    }

    @Override
    public int read(byte[] destination, int offset, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int count = in.read(destination, offset, (int) Math.min(length, left));
      if (count < 0) {
        throw new EOFException("the file ends " + left + " bytes before the entry does");
      }
      left -= count;
      return count;
    }
  }
}
