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
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.storage.Storage;

/**
 * A finished shard folder, mapped into memory.
 *
 * <p>Opening reads the manifest and each shard's footer, never the tokens; the operating system
 * brings pages in as they are read. Before the tokens of a split are handed out for the first time,
 * its shards' checksums are compared, so nothing is ever computed from a shard that was altered.
 * Closing refuses to overlook a buffer that somebody still holds.
 */
public final class ShardFolder implements AutoCloseable {
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
   * Opens a folder and maps all of its shards. One on another file system is copied to the local
   * disk first, unless it was before: into {@code LENGTHWISE_CACHE}, or {@code
   * ~/.cache/lengthwise}.
   *
   * @param uri a local path, a {@code file:} URI, or a URI of a scheme known to Hadoop
   * @return the open folder
   * @throws ConfigException when the place is no folder, or is not a finished one
   * @throws DataFormatException when the manifest or a shard is not what the format promises
   * @throws UncheckedIOException when a file cannot be read
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

  /**
   * What the folder holds.
   *
   * @return its manifest
   */
  public Manifest manifest() {
    return manifest;
  }

  /**
   * The tokens of one split, whose shards are read in full and compared with the manifest's
   * checksums when they are asked for first.
   *
   * @param split which one
   * @return its tokens, readable until this folder is closed; of length zero when no document fell
   *     into it
   * @throws DataFormatException when a checksum differs
   */
  public TokenStream tokens(Split split) {
    SplitTokens tokens = Objects.requireNonNull(streams.get(split));
    tokens.verify();
    return tokens;
  }

  /**
   * Copies tokens of a split for people to look at: unlike {@link #tokens}, without comparing
   * checksums.
   *
   * @param split which one
   * @param position the place of the first token wanted in the split's stream
   * @param destination is filled
   * @throws IndexOutOfBoundsException when the split has fewer
   */
  public void readUnverified(Split split, long position, int[] destination) {
    Objects.requireNonNull(streams.get(split)).read(position, destination, 0, destination.length);
  }

  /**
   * Tells the length of every document of a split, in order. Of the shards no more than these
   * lengths is read.
   *
   * @param split which one
   * @param visitor is told
   * @throws DataFormatException when a shard is damaged there
   */
  public void visitLengths(Split split, LengthVisitor visitor) {
    shardsOf(split).forEach(shard -> shard.visitLengths(visitor));
  }

  /**
   * The documents at the beginning of a split.
   *
   * @param split which one
   * @param count how many are wanted
   * @return so many, or all where the split's first shard has fewer
   * @throws DataFormatException when a shard is damaged there
   */
  public List<StoredDocument> firstDocuments(Split split, int count) {
    List<MappedShard> ofSplit = shardsOf(split);
    return ofSplit.isEmpty() ? List.of() : ofSplit.get(0).firstDocuments(0, count);
  }

  /**
   * Compares the checksums of every split that was not compared yet.
   *
   * @throws DataFormatException when one differs
   */
  public void verifyChecksums() {
    streams.values().forEach(SplitTokens::verify);
  }

  /** Ends all streams and lets go of the mappings. */
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
    if (!Files.isDirectory(path)) {
      throw new ConfigException(
          uri,
          "a folder of token shards",
          Files.exists(path) ? "a file" : "no such folder",
          "run prepare first or correct the path");
    }
    if (!ArtifactFolder.isDone(path)) {
      throw new ConfigException(
          uri,
          "a finished shard folder",
          "no marker DONE in it",
          "name a folder that prepare has finished");
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
