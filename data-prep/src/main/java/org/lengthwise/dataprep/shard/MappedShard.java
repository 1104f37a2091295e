package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * One shard in memory: the file mapped and checked, its tokens as runs that point into the mapping.
 */
final class MappedShard implements AutoCloseable {
  private final Path file;
  private final ShardEntry entry;
  private final FileMapping mapping;
  private final ArrowBuf content;
  private final List<TokenRun> runs;
  private final List<DocumentRun> documents;

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

  /**
   * Maps a shard, and refuses one that is not what the manifest says.
   *
   * @param file the shard
   * @param entry the manifest's entry for it
   * @param schema the schema that the manifest calls for
   * @param width how the shard stores a token
   * @param allocator what accounts for the mapping
   */
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

  /** The bytes of the file. */
  long numBytes() {
    return entry.bytes();
  }

  /** Tells the length of every document, in order, reading nothing but lengths. */
  void visitLengths(LengthVisitor visitor) {
    for (DocumentRun run : documents) {
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
   * The first documents.
   *
   * @param position the place of the shard's first token in the stream
   * @param count how many are wanted; fewer are given where the shard has fewer
   */
  List<StoredDocument> firstDocuments(long position, int count) {
    List<StoredDocument> found = new ArrayList<>();
    long next = position;
    try {
      for (DocumentRun run : documents) {
        for (int row = 0; row < run.numDocuments() && found.size() < count; row++) {
          found.add(new StoredDocument(run.info(row), next, run.numTokens(row)));
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
        "columns that describe the documents",
        "damaged ones (" + cause + ")",
        "copy the shard again from where it came, or prepare the folder again",
        cause);
  }

  /** Reads the whole file and compares its checksum with the manifest's. */
  void verifyChecksum() {
    MessageDigest digest = Sha256.newDigest();
    digest.update(mapping.bytes().duplicate());
    String found = Sha256.hex(digest);
    if (!found.equals(entry.sha256())) {
      throw new DataFormatException(
          file.toString(),
          "the SHA-256 " + entry.sha256() + " of the manifest",
          found,
          "copy the shard again from where it came, or prepare the folder again");
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
          "copy the folder again from where it came, or prepare it again",
          e);
    }
    if (size != entry.bytes()) {
      throw new DataFormatException(
          file.toString(),
          "%d bytes, as the manifest says".formatted(entry.bytes()),
          size + " bytes",
          "copy the shard again from where it came, or prepare the folder again");
    }
  }

  private static void requireCounts(Path file, ShardEntry entry, ShardLayout layout) {
    if (layout.numDocuments() != entry.documents() || layout.numTokens() != entry.tokens()) {
      throw new DataFormatException(
          file.toString(),
          "%d documents and %d tokens, as the manifest says"
              .formatted(entry.documents(), entry.tokens()),
          "%d documents and %d tokens".formatted(layout.numDocuments(), layout.numTokens()),
          "keep each folder's shards and manifest together, or prepare it again");
    }
  }
}
