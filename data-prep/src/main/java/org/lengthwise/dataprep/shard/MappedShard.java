package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.error.Count;
import org.lengthwise.error.DataFormatException;

/** A shard that is mapped into memory and checked. Its tokens are runs inside the mapping. */
final class MappedShard implements AutoCloseable {
  private final Path file;
  private final ShardEntry entry;
  private final FileMapping mapping;
  private final ArrowBuf content;
  private final List<TokenRun> runs;
  private final List<ShardLayout.Documents> documents;

  private MappedShard(
      Path file, ShardEntry entry, FileMapping mapping, ArrowBuf content, ShardLayout layout) {
    this.file = file;
    this.entry = entry;
    this.mapping = mapping;
    this.content = content;
    TokenWidth width = layout.width();
    runs = layout.extents().stream().map(extent -> run(content, extent, width)).toList();
    documents = layout.extents().stream().map(ShardLayout.Extent::documents).toList();
  }

  /** Maps a shard, and rejects it if it differs from the manifest. */
  static MappedShard open(
      Path file, ShardEntry entry, Schema schema, TokenWidth width, BufferAllocator allocator)
      throws IOException {
    requireSize(file, entry);
    FileMapping mapping = FileMapping.of(file);
    ShardLayout layout = ShardLayout.read(file.toString(), mapping.bytes(), schema, width);
    requireCounts(file, entry, layout);
    ArrowBuf content = allocator.wrapForeignAllocation(mapping);
    return new MappedShard(file, entry, mapping, content, layout);
  }

  List<TokenRun> runs() {
    return runs;
  }

  long numBytes() {
    return entry.bytes();
  }

  void visitLengths(ShardFolder.LengthVisitor visitor) {
    for (ShardLayout.Documents run : documents) {
      for (int row = 0; row < run.numDocuments(); row++) {
        int numTokens;
        long numBytes;
        try {
          numTokens = run.numTokens(row);
          numBytes = run.numBytes(row);
        } catch (IndexOutOfBoundsException e) {
          throw damaged(e);
        }
        if (numTokens < 1 || numBytes < 0) {
          throw damaged(
              new IllegalArgumentException(numTokens + " tokens, " + numBytes + " bytes"));
        }
        visitor.visit(numTokens, numBytes);
      }
    }
  }

  /**
   * The first documents, at most {@code count}; {@code position} is the shard's first token in the
   * stream.
   */
  List<ShardFolder.StoredDocument> firstDocuments(long position, int count) {
    List<ShardFolder.StoredDocument> found = new ArrayList<>();
    long next = position;
    try {
      for (ShardLayout.Documents run : documents) {
        for (int row = 0; row < run.numDocuments() && found.size() < count; row++) {
          found.add(new ShardFolder.StoredDocument(run.info(row), next, run.numTokens(row)));
          next += run.numTokens(row);
        }
      }
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw damaged(e);
    }
    return found;
  }

  private DataFormatException damaged(Exception cause) {
    return new DataFormatException(
        file.toString(),
        "valid columns about the documents",
        "damaged columns (" + cause + ")",
        "copy the shard again from its source, or prepare the folder again",
        cause);
  }

  void verifyChecksum() {
    MessageDigest digest = Sha256.newDigest();
    digest.update(mapping.bytes().duplicate());
    String found = Sha256.hex(digest);
    if (!found.equals(entry.sha256())) {
      throw new DataFormatException(
          file.toString(),
          "the SHA-256 " + entry.sha256() + " of the manifest",
          found,
          "copy the shard again from its source, or prepare the folder again");
    }
  }

  @Override
  public void close() {
    content.close();
  }

  private static TokenRun run(ArrowBuf content, ShardLayout.Extent extent, TokenWidth width) {
    int bytes = extent.numTokens() * width.bytes();
    return width.run(content.nioBuffer(extent.position(), bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  private static void requireSize(Path file, ShardEntry entry) throws IOException {
    long size;
    try {
      size = Files.size(file);
    } catch (NoSuchFileException e) {
      throw new DataFormatException(
          file.toString(),
          "the shard that the manifest lists",
          "no such file",
          "copy the folder again from its source, or prepare it again",
          e);
    }
    if (size != entry.bytes()) {
      throw new DataFormatException(
          file.toString(),
          Count.of(entry.bytes(), "byte") + ", as in the manifest",
          Count.of(size, "byte"),
          "copy the shard again from its source, or prepare the folder again");
    }
  }

  private static String counts(long documents, long tokens) {
    return Count.of(documents, "document") + " and " + Count.of(tokens, "token");
  }

  private static void requireCounts(Path file, ShardEntry entry, ShardLayout layout) {
    if (layout.numDocuments() != entry.documents() || layout.numTokens() != entry.tokens()) {
      throw new DataFormatException(
          file.toString(),
          counts(entry.documents(), entry.tokens()) + ", as in the manifest",
          counts(layout.numDocuments(), layout.numTokens()),
          "keep each folder's shards and manifest together, or prepare it again");
    }
  }

  /**
   * The bytes of a file as memory that Arrow may point into.
   *
   * <p>Releasing it ends Arrow's accounting. The garbage collector unmaps the pages when this
   * object is unreachable, so a read that runs while another thread closes the shard never touches
   * an unmapped address.
   */
  private static final class FileMapping extends ForeignAllocation {
    private final MappedByteBuffer bytes;

    private FileMapping(MappedByteBuffer bytes) {
      super(bytes.capacity(), MemoryUtil.getByteBufferAddress(bytes));
      this.bytes = bytes;
    }

    static FileMapping of(Path file) throws IOException {
      try (FileChannel channel = FileChannel.open(file)) {
        return new FileMapping(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
      }
    }

    MappedByteBuffer bytes() {
      return bytes;
    }

    @Override
    protected void release0() {}
  }
}
