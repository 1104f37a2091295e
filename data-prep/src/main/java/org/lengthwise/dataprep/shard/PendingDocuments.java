package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.lengthwise.dataprep.artifact.Sha256;

/** Reads back the documents of a batch that was noted before it was full. */
final class PendingDocuments {

  private PendingDocuments() {}

  /** Takes a document. */
  interface Destination {
    void append(DocumentInfo info, int[] tokens, int length);
  }

  /**
   * Reads the documents in their order.
   *
   * @param folder where they were noted
   * @param entry the file and what it held
   * @param allocator what to take memory from
   * @param destination takes each document, its tokens without end-of-text
   * @return whether the file is what it was; if not, nothing was read
   */
  static boolean read(
      Path folder, ShardEntry entry, BufferAllocator allocator, Destination destination)
      throws IOException {
    Path file = folder.resolve(entry.file());
    if (!Files.exists(file) || !Sha256.of(file).equals(entry.sha256())) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file);
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      while (reader.loadNextBatch()) {
        readBatch(reader.getVectorSchemaRoot(), destination);
      }
    }
    return true;
  }

  private static void readBatch(VectorSchemaRoot root, Destination destination) {
    ListVector lists = (ListVector) root.getVector(ShardFormat.TOKENS);
    BaseFixedWidthVector values = (BaseFixedWidthVector) lists.getDataVector();
    TokenRun run = run(values, lists.getElementEndIndex(root.getRowCount() - 1));
    VarCharVector sources = (VarCharVector) root.getVector(ShardFormat.SOURCE);
    BigIntVector records = (BigIntVector) root.getVector(ShardFormat.RECORD);
    BigIntVector lengths = (BigIntVector) root.getVector(ShardFormat.BYTES);
    for (int row = 0; row < root.getRowCount(); row++) {
      int start = lists.getElementStartIndex(row);
      int length = lists.getElementEndIndex(row) - start - 1; // end-of-text is added anew
      int[] tokens = new int[length];
      run.copy(start, tokens, 0, length);
      DocumentInfo info =
          new DocumentInfo(sources.getObject(row).toString(), records.get(row), lengths.get(row));
      destination.append(info, tokens, length);
    }
  }

  private static TokenRun run(BaseFixedWidthVector values, int numTokens) {
    ByteBuffer bytes = values.getDataBuffer().nioBuffer(0, numTokens * values.getTypeWidth());
    return TokenWidth.ofBytes(values.getTypeWidth()).run(bytes.order(ByteOrder.LITTLE_ENDIAN));
  }
}
