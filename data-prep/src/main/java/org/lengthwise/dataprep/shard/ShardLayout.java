package org.lengthwise.dataprep.shard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowFooter;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lengthwise.error.DataFormatException;

/** The positions of tokens and columns in the bytes of a shard, from its footer and messages. */
record ShardLayout(long numDocuments, TokenWidth width, List<Extent> extents) {
  private static final String MAGIC = "ARROW1";

  /** The last bytes of a file: length of the footer, magic. */
  private static final int TRAILER_BYTES = Integer.BYTES + MAGIC.length();

  /** The first bytes of a message: continuation marker, length of the metadata. */
  private static final int MESSAGE_PREFIX_BYTES = 2 * Integer.BYTES;

  /** The indices of the buffers of a batch: offsets of the token lists, and their values. */
  private static final int OFFSETS_BUFFER = 1;

  private static final int VALUES_BUFFER = 3;

  /** The same of the sources, then the two columns of numbers. */
  private static final int SOURCE_OFFSETS_BUFFER = 5;

  private static final int SOURCES_BUFFER = 6;
  private static final int RECORDS_BUFFER = 8;
  private static final int BYTES_BUFFER = 10;

  /** One batch in the file; the position is that of its first token, in bytes. */
  record Extent(int position, int numTokens, Documents documents) {}

  /**
   * The rows of one batch without their tokens, in the mapped file. Offsets are the start of each
   * document's tokens or source, and the end of the last; bytes are the lengths of texts in UTF-8.
   */
  record Documents(
      int numDocuments,
      IntBuffer tokenOffsets,
      IntBuffer sourceOffsets,
      ByteBuffer sources,
      LongBuffer records,
      LongBuffer bytes) {

    int numTokens(int row) {
      return tokenOffsets.get(row + 1) - tokenOffsets.get(row);
    }

    long numBytes(int row) {
      return bytes.get(row);
    }

    DocumentInfo info(int row) {
      int start = sourceOffsets.get(row);
      ByteBuffer source = sources.slice(start, sourceOffsets.get(row + 1) - start);
      return new DocumentInfo(
          StandardCharsets.UTF_8.decode(source).toString(), records.get(row), bytes.get(row));
    }
  }

  long numTokens() {
    return extents.stream().mapToLong(Extent::numTokens).sum();
  }

  /** Reads the layout, and rejects bytes that are not a shard of the expected schema. */
  static ShardLayout read(String where, ByteBuffer bytes, Schema expected, TokenWidth width) {
    ByteBuffer file = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    requireMagic(where, file);
    try {
      ArrowFooter footer = footer(file);
      ShardFormat.requireSchema(where, footer.getSchema(), expected);
      long numDocuments = 0;
      List<Extent> extents = new ArrayList<>();
      for (ArrowBlock block : footer.getRecordBatches()) {
        RecordBatch batch = batch(file, block);
        extents.add(extent(file, block, batch, width));
        numDocuments += batch.length();
      }
      return new ShardLayout(numDocuments, width, List.copyOf(extents));
    } catch (DataFormatException e) {
      throw e;
    } catch (RuntimeException e) {
      // Damaged metadata can cause any unchecked exception.
      throw new DataFormatException(
          where,
          "a valid footer and valid batch messages",
          "damaged metadata (" + e + ")",
          "copy the shard again from its source, or prepare the folder again",
          e);
    }
  }

  private static void requireMagic(String where, ByteBuffer file) {
    if (file.capacity() < 2 * TRAILER_BYTES || !magicAt(file, 0)) {
      throw new DataFormatException(
          where,
          "an Arrow IPC file, which starts with " + MAGIC,
          "another kind of file",
          "remove foreign files from the folder, or prepare it again");
    }
    if (!magicAt(file, file.capacity() - MAGIC.length())) {
      throw new DataFormatException(
          where,
          "an Arrow IPC file, which ends with " + MAGIC,
          "other bytes: the file is truncated or overwritten",
          "copy the shard again from its source, or prepare the folder again");
    }
  }

  private static boolean magicAt(ByteBuffer file, int position) {
    byte[] found = new byte[MAGIC.length()];
    file.get(position, found);
    return MAGIC.equals(new String(found, StandardCharsets.ISO_8859_1));
  }

  private static ArrowFooter footer(ByteBuffer file) {
    int end = file.capacity() - TRAILER_BYTES;
    int length = file.getInt(end);
    return new ArrowFooter(Footer.getRootAsFooter(part(file, end - length, length)));
  }

  private static RecordBatch batch(ByteBuffer file, ArrowBlock block) {
    int start = Math.toIntExact(block.getOffset());
    int marker = file.getInt(start);
    if (marker != MessageSerializer.IPC_CONTINUATION_TOKEN) {
      throw new IllegalArgumentException("no message at byte " + start);
    }
    int length = block.getMetadataLength() - MESSAGE_PREFIX_BYTES;
    Message message = Message.getRootAsMessage(part(file, start + MESSAGE_PREFIX_BYTES, length));
    if (!(message.header(new RecordBatch()) instanceof RecordBatch batch)
        || batch.compression() != null) {
      throw new IllegalArgumentException("no uncompressed record batch at byte " + start);
    }
    return batch;
  }

  private static Extent extent(
      ByteBuffer file, ArrowBlock block, RecordBatch batch, TokenWidth width) {
    int start = Math.toIntExact(block.getOffset()) + block.getMetadataLength();
    ByteBuffer body = part(file, start, Math.toIntExact(block.getBodyLength()));
    ByteBuffer offsets = buffer(body, batch, OFFSETS_BUFFER);
    ByteBuffer values = buffer(body, batch, VALUES_BUFFER);
    int numTokens = offsets.getInt(Math.toIntExact(batch.length()) * Integer.BYTES);
    if (offsets.getInt(0) != 0 || numTokens < 0 || numTokens > values.capacity() / width.bytes()) {
      throw new IllegalArgumentException("list offsets outside their values at byte " + start);
    }
    int position = start + Math.toIntExact(batch.buffers(VALUES_BUFFER).offset());
    return new Extent(position, numTokens, documents(body, batch, offsets));
  }

  private static Documents documents(ByteBuffer body, RecordBatch batch, ByteBuffer offsets) {
    return new Documents(
        Math.toIntExact(batch.length()),
        offsets.asIntBuffer(),
        buffer(body, batch, SOURCE_OFFSETS_BUFFER).asIntBuffer(),
        buffer(body, batch, SOURCES_BUFFER),
        buffer(body, batch, RECORDS_BUFFER).asLongBuffer(),
        buffer(body, batch, BYTES_BUFFER).asLongBuffer());
  }

  private static ByteBuffer buffer(ByteBuffer body, RecordBatch batch, int index) {
    Buffer buffer = batch.buffers(index);
    return part(body, Math.toIntExact(buffer.offset()), Math.toIntExact(buffer.length()));
  }

  private static ByteBuffer part(ByteBuffer whole, int position, int length) {
    return whole.slice(position, length).order(ByteOrder.LITTLE_ENDIAN);
  }
}
