package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowFooter;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.lengthwise.dataprep.artifact.AppendedFile;

/**
 * The shard that is being written: an Arrow file whose bytes are counted and digested on their way
 * out.
 *
 * <p>Implementation note: Arrow's own file writer keeps the list of batches, which the footer
 * repeats, to itself and always starts a file. This class frames Arrow's messages in its place, so
 * that a file can be taken up again after any whole batch.
 */
final class OpenShard implements AutoCloseable {
  /** More than the footer spends on a record batch. */
  private static final int FOOTER_BYTES_PER_BATCH = 24;

  /** More than magic numbers, end marker, lengths and padding take in a file. */
  private static final int FRAME_BYTES = 256;

  private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);

  private final Path path;
  private final AppendedFile file;
  private final DocumentBatch batch;

  /** Arrow's messages count positions from where this channel was opened. */
  private final WriteChannel out;

  private final long outStart;

  private final List<ArrowBlock> batches = new ArrayList<>();
  private long numDocuments;
  private long numTokens;

  private OpenShard(Path path, AppendedFile file, DocumentBatch batch) {
    this.path = path;
    this.file = file;
    this.batch = batch;
    out = new WriteChannel(file);
    outStart = file.numBytes();
  }

  /** Starts a shard; nothing may lie in its place. */
  static OpenShard create(Path path, DocumentBatch batch) throws IOException {
    OpenShard shard = new OpenShard(path, AppendedFile.create(path), batch);
    try {
      shard.out.write(MAGIC);
      shard.out.align();
      MessageSerializer.serialize(shard.out, batch.root().getSchema(), IpcOption.DEFAULT);
      return shard;
    } catch (IOException | RuntimeException e) {
      shard.abandon();
      throw e;
    }
  }

  /** Takes up a shard where it once was; empty if its file does not hold what it held then. */
  static Optional<OpenShard> takeUp(Path folder, ShardMark mark, DocumentBatch batch)
      throws IOException {
    Path path = folder.resolve(mark.file());
    Optional<AppendedFile> file = AppendedFile.cutBack(path, mark.content());
    return file.map(
        found -> {
          OpenShard shard = new OpenShard(path, found, batch);
          mark.batches().forEach(part -> shard.batches.add(part.block()));
          shard.numDocuments = mark.documents();
          shard.numTokens = mark.tokens();
          return shard;
        });
  }

  /** Notes the batches written so far, once they have reached the disk. */
  ShardMark mark() throws IOException {
    return new ShardMark(
        path.getFileName().toString(),
        file.mark(),
        numDocuments,
        numTokens,
        batches.stream().map(ShardMark.Batch::of).toList());
  }

  /**
   * A size that the finished file does not exceed when one more batch, of at most this size, is its
   * last.
   */
  long maxBytesWith(long batchBytes) {
    return file.numBytes()
        + batchBytes
        + headerBytes()
        + (batches.size() + 1L) * FOOTER_BYTES_PER_BATCH
        + FRAME_BYTES;
  }

  /** What magic and schema took at the file's start; the footer repeats the schema. */
  private long headerBytes() {
    return batches.isEmpty() ? file.numBytes() : batches.get(0).getOffset();
  }

  /** Writes the documents of the batch, which keeps them. */
  void writeBatch() throws IOException {
    batch.seal();
    VectorUnloader unloader = new VectorUnloader(batch.root());
    try (ArrowRecordBatch message = unloader.getRecordBatch()) {
      ArrowBlock block = MessageSerializer.serialize(out, message, IpcOption.DEFAULT);
      batches.add(
          new ArrowBlock(
              outStart + block.getOffset(), block.getMetadataLength(), block.getBodyLength()));
    }
    numDocuments += batch.numRows();
    numTokens += batch.numTokens();
  }

  ShardEntry finish() throws IOException {
    out.writeIntLittleEndian(MessageSerializer.IPC_CONTINUATION_TOKEN);
    out.writeIntLittleEndian(0);
    long footerStart = file.numBytes();
    out.write(new ArrowFooter(batch.root().getSchema(), List.of(), batches), false);
    out.writeIntLittleEndian(Math.toIntExact(file.numBytes() - footerStart));
    out.write(MAGIC);
    AppendedFile.Mark whole = file.mark();
    file.close();
    return new ShardEntry(
        path.getFileName().toString(), whole.bytes(), whole.sha256(), numDocuments, numTokens);
  }

  /** Closes the file and leaves it as far as it was written. */
  @Override
  public void close() throws IOException {
    file.close();
  }

  void abandon() throws IOException {
    file.close();
    Files.deleteIfExists(path);
  }
}
