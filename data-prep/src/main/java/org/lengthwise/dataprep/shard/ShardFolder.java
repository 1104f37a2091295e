package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.config.Checks;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/**
 * A complete shard folder, mapped into memory.
 *
 * <p>Opening reads the manifest and the footer of each shard, but no tokens; the operating system
 * loads pages when they are read. The checksums of a split's shards are verified before its tokens
 * are first read, so no result comes from a changed shard. Closing fails if a buffer is still in
 * use.
 */
public final class ShardFolder implements AutoCloseable {
  @FunctionalInterface
  public interface LengthVisitor {
    /**
     * Receives one document: its tokens with end-of-text, and the length of its text in UTF-8
     * bytes.
     */
    void visit(int numTokens, long numBytes);
  }

  /**
   * A document in a shard folder; the position is that of its first token in the stream of its
   * split.
   */
  public record StoredDocument(DocumentInfo info, long position, int numTokens) {
    public StoredDocument {
      Objects.requireNonNull(info, "info");
      Checks.atLeast("position", position, 0);
      Checks.atLeast("num_tokens", numTokens, 1);
    }
  }

  private final Manifest manifest;
  private final BufferAllocator allocator;
  private final List<MappedShard> shards = new ArrayList<>();
  private final Map<Split, SplitTokens> streams = new EnumMap<>(Split.class);
  private boolean closed;

  private ShardFolder(Manifest manifest) {
    this.manifest = manifest;
    allocator = new RootAllocator();
  }

  /**
   * Opens a folder and maps all of its shards. A folder on another file system is first copied to
   * the local disk, into {@code LENGTHWISE_CACHE} or {@code ~/.cache/lengthwise}, unless the copy
   * exists.
   *
   * @param uri a local path, a {@code file:} URI, or a URI of a scheme known to Hadoop
   * @throws ConfigException if it is not a complete folder
   * @throws DataFormatException if the manifest or a shard violates the format
   */
  public static ShardFolder open(String uri) {
    return open(uri, ShardCache.ofUser(System.getenv(), Path.of(System.getProperty("user.home"))));
  }

  static ShardFolder open(String uri, ShardCache cache) {
    try {
      Path path = Storage.isRemote(uri) ? cache.localCopy(uri) : Storage.localPath(uri);
      requireFinished(uri, path);
      ShardFolder folder = new ShardFolder(Manifest.read(path));
      try {
        folder.mapShards(path);
        return folder;
      } catch (IOException | RuntimeException e) {
        folder.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the shard folder " + uri, e);
    }
  }

  public Manifest manifest() {
    return manifest;
  }

  /**
   * {@return the tokens of a split, readable until this folder is closed; empty if the split has no
   * documents} The first call verifies the checksums of its shards, which reads them in full.
   */
  public TokenStream tokens(Split split) {
    SplitTokens tokens = Objects.requireNonNull(streams.get(split));
    tokens.verify();
    return tokens;
  }

  /** Copies tokens of a split without verifying checksums, for display only. */
  public void readUnverified(Split split, long position, int[] destination) {
    Objects.requireNonNull(streams.get(split)).read(position, destination, 0, destination.length);
  }

  public void visitLengths(Split split, LengthVisitor visitor) {
    shardsOf(split).forEach(shard -> shard.visitLengths(visitor));
  }

  /** {@return the first documents of a split; fewer if the split's first shard has fewer} */
  public List<StoredDocument> firstDocuments(Split split, int count) {
    List<MappedShard> ofSplit = shardsOf(split);
    return ofSplit.isEmpty() ? List.of() : ofSplit.get(0).firstDocuments(0, count);
  }

  public void verifyChecksums() {
    streams.values().forEach(SplitTokens::verify);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    streams.values().forEach(SplitTokens::close);
    shards.forEach(MappedShard::close);
    allocator.close();
  }

  private List<MappedShard> shardsOf(Split split) {
    return Objects.requireNonNull(streams.get(split)).shards();
  }

  private static void requireFinished(String uri, Path path) {
    if (!Files.exists(path.resolve(Manifest.FILE))) {
      MistakenData.requireNone(uri, path);
    }
    if (!Files.isDirectory(path)) {
      throw new ConfigException(
          uri,
          "a folder of token shards",
          Files.exists(path) ? "a file" : "no such folder",
          "run `prepare` first, or correct the path");
    }
    if (Files.exists(path.resolve("config.json"))) {
      throw new ConfigException(
          uri, "a folder of token shards", "a model", "name it as the --checkpoint");
    }
    if (!ArtifactFolder.isDone(path)) {
      throw new ConfigException(
          uri,
          "a finished shard folder",
          "no marker DONE in it",
          "name a folder that `prepare` has finished");
    }
  }

  private void mapShards(Path path) throws IOException {
    TokenWidth width = TokenWidth.of(manifest.tokenizer().vocabularySize());
    for (Split split : Split.values()) {
      Schema schema = ShardFormat.schema(split, manifest.tokenizer());
      List<MappedShard> mapped = new ArrayList<>();
      for (ShardEntry entry : manifest.split(split).shards()) {
        MappedShard shard =
            MappedShard.open(path.resolve(entry.file()), entry, schema, width, allocator);
        shards.add(shard);
        mapped.add(shard);
      }
      streams.put(split, new SplitTokens(mapped));
    }
  }
}
