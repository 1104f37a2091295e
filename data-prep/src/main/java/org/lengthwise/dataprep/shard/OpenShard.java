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
import org.lengthwise.artifact.AppendedFile;
import org.lengthwise.dataprep.shard.SplitState.OpenShardState;

/**
 * The shard that is being written: an Arrow file. Its length and checksum are computed while it is
 * written.
 *
 * <p>Implementation note: Arrow's file writer always starts a new file, and its list of batches for
 * the footer is private. This class frames Arrow's messages itself, so that a file can be resumed
 * after any whole batch.
 */
final class OpenShard implements AutoCloseable {
  /** An upper bound on the footer's bytes for a record batch. */
  private static final int FOOTER_BYTES_PER_BATCH = 24;

  /** An upper bound on magic numbers, end marker, lengths and padding of a file. */
  private static final int FRAME_BYTES = 256;

  private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);

  private final Path path;
  private final AppendedFile file;
  private final DocumentBatch batch;

  /**
   * Counts positions from the point where this object opened the file; {@link #outStart} is this
   * point.
   */
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

  /** Opens a shard in an earlier state; empty if its file does not hold that content. */
  static Optional<OpenShard> resume(Path folder, OpenShardState state, DocumentBatch batch)
      throws IOException {
    Path path = folder.resolve(state.file());
    Optional<AppendedFile> file = AppendedFile.resume(path, state.content());
    return file.map(
        found -> {
          OpenShard shard = new OpenShard(path, found, batch);
          state.batches().forEach(stored -> shard.batches.add(stored.block()));
          shard.numDocuments = state.documents();
          shard.numTokens = state.tokens();
          return shard;
        });
  }

  OpenShardState save() throws IOException {
    return new OpenShardState(
        path.getFileName().toString(),
        file.sync(),
        numDocuments,
        numTokens,
        batches.stream().map(SplitState.BatchPlace::of).toList());
  }

  /**
   * An upper bound on the size of the finished file if one more batch of at most this size follows.
   */
  long maxBytesWith(long batchBytes) {
    return file.numBytes()
        + batchBytes
        + headerBytes()
        + (batches.size() + 1L) * FOOTER_BYTES_PER_BATCH
        + FRAME_BYTES;
  }

  /** The bytes of magic and schema at the file's start; the footer repeats the schema. */
  private long headerBytes() {
    return batches.isEmpty() ? file.numBytes() : batches.get(0).getOffset();
  }

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
    AppendedFile.Prefix whole = file.sync();
    file.close();
    return new ShardEntry(
        path.getFileName().toString(), whole.bytes(), whole.sha256(), numDocuments, numTokens);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  void abandon() throws IOException {
    file.close();
    Files.deleteIfExists(path);
  }
}
