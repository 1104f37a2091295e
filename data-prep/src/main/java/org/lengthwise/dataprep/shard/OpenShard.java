package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * The shard that is being written: an Arrow file whose bytes are counted and digested on their way
 * out.
 */
final class OpenShard {
  /** More than the footer spends on a record batch. */
  private static final int FOOTER_BYTES_PER_BATCH = 24;

  /** More than magic numbers, end marker, lengths and padding take in a file. */
  private static final int FRAME_BYTES = 256;

  private final Path file;
  private final DigestingChannel channel;
  private final DocumentBatch batch;
  private final ArrowFileWriter writer;

  /** What magic and schema took at the file's start; the footer repeats the schema. */
  private final long headerBytes;

  private int numBatches;
  private long numDocuments;
  private long numTokens;

  OpenShard(Path file, DocumentBatch batch) throws IOException {
    this.file = file;
    this.batch = batch;
    channel = new DigestingChannel(file);
    writer = new ArrowFileWriter(batch.root(), null, channel);
    try {
      writer.start();
    } catch (IOException | RuntimeException e) {
      abandon();
      throw e;
    }
    headerBytes = channel.numBytes();
  }

  /**
   * A size that the finished file does not exceed when one more batch, of at most this size, is its
   * last.
   */
  long maxBytesWith(long batchBytes) {
    return channel.numBytes()
        + batchBytes
        + headerBytes
        + (numBatches + 1L) * FOOTER_BYTES_PER_BATCH
        + FRAME_BYTES;
  }

  void writeBatch() throws IOException {
    batch.seal();
    writer.writeBatch();
    numBatches++;
    numDocuments += batch.numRows();
    numTokens += batch.numTokens();
    batch.reset();
  }

  ShardEntry finish() throws IOException {
    writer.end();
    channel.force();
    channel.close();
    return new ShardEntry(
        file.getFileName().toString(),
        channel.numBytes(),
        channel.sha256(),
        numDocuments,
        numTokens);
  }

  void abandon() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
  }

  /** A file that knows its length and checksum without being read again. */
  private static final class DigestingChannel implements WritableByteChannel {
    private final FileChannel file;
    private final MessageDigest digest = Sha256.newDigest();
    private long numBytes;

    DigestingChannel(Path path) throws IOException {
      file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      int count = source.remaining();
      digest.update(source.duplicate());
      while (source.hasRemaining()) {
        file.write(source);
      }
      numBytes += count;
      return count;
    }

    long numBytes() {
      return numBytes;
    }

    String sha256() {
      return Sha256.hex(digest);
    }

    void force() throws IOException {
      file.force(true);
    }

    @Override
    public boolean isOpen() {
      return file.isOpen();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
