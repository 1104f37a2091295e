package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.lengthwise.artifact.AppendedFile.Prefix;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.input.GitLfsPointer;

/**
 * A file that documents are read from.
 *
 * @param uri the file, as the user named it
 * @param name the end of {@code uri}, which does not depend on where the corpus is stored: the
 *     file's name, or the path from the named folder on if the user named a folder
 * @param bytes its length when it was found
 * @param reading what its kind does not say about its documents
 */
record InputFile(
    Storage storage, String uri, String name, long bytes, FileKind kind, Reading reading) {

  /** An offset that no document of a file follows. */
  private static final CorpusOffset BEHIND_ALL =
      new CorpusOffset(0, Long.MAX_VALUE, 0, CorpusOffset.NOTHING);

  InputFile with(Reading other) {
    return new InputFile(storage, uri, name, bytes, kind, other);
  }

  TokenFiles tokens() {
    return Objects.requireNonNull(reading.tokens());
  }

  DocumentOrigin origin() {
    return new DocumentOrigin(uri, name, "", 0);
  }

  DigestingInputStream open(Prefix beginning, LongConsumer bytesRead) {
    try {
      return new DigestingInputStream(storage.open(uri), uri, beginning, bytesRead);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** The file at any position. If {@code whole}, its length is compared with {@link #bytes}. */
  SeekableByteChannel openChannel(boolean whole) {
    try {
      SeekableByteChannel channel = storage.openChannel(uri);
      if (whole) {
        requireLength(channel.size());
      }
      return channel;
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Requires that the file is not a Git LFS pointer, before any work begins. */
  void refusePointer() {
    if (bytes < GitLfsPointer.LENGTH_LIMIT) {
      try (InputStream in = storage.open(uri)) {
        GitLfsPointer.refuse(uri, in.readAllBytes());
      } catch (IOException e) {
        throw unreadable(e);
      }
    }
  }

  InputEntry digest(LongConsumer bytesRead) {
    if (kind.layout() == FileKind.Layout.PARQUET) {
      try (DocumentReader column = DocumentReader.ofFile(this, BEHIND_ALL, 1, bytesRead)) {
        column.next();
        return column.finish();
      } catch (IOException e) {
        throw unreadable(e);
      }
    }
    try (DigestingInputStream stream = open(CorpusOffset.NOTHING, bytesRead)) {
      return identity(stream);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  InputEntry identity(DigestingInputStream stream) {
    try {
      stream.drain();
    } catch (IOException e) {
      throw unreadable(e);
    }
    requireLength(stream.numBytes());
    return new InputEntry(uri, stream.numBytes(), stream.sha256());
  }

  /** The file's length, and the checksum of the bytes that were read of it. */
  InputEntry identityOfColumn(DigestingInputStream stream) {
    return new InputEntry(uri, bytes, stream.sha256());
  }

  DataFormatException unreadable(IOException cause) {
    return new DataFormatException(
        uri,
        "a file that can be read",
        String.valueOf(cause.getMessage()),
        "check its permissions and that no other program moves it during the run",
        cause);
  }

  /** A text file has no end marker, so only its length shows that it was truncated or grew. */
  private void requireLength(long numBytes) {
    if (numBytes != bytes) {
      throw new DataFormatException(
          uri,
          "the %s bytes that it had when it was found".formatted(bytes),
          "%s bytes".formatted(numBytes),
          "make sure that no other program writes to the inputs, and run the command again");
    }
  }
}
