package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.artifact.ArtifactFolder.FolderWriter;
import org.lengthwise.dataprep.artifact.Sha256;
import org.lengthwise.dataprep.progress.Progress;
import org.lengthwise.dataprep.progress.ProgressReporter;
import org.lengthwise.dataprep.storage.Storage;

/**
 * Shard folders of other file systems, copied to the local disk because shards are mapped into
 * memory.
 *
 * <p>A copy is named by the SHA-256 of its manifest, which has the checksum of every shard. So data
 * that changed has another name, the same data under two addresses has one copy, and a copy that is
 * there needs no look at the original but at its manifest. It comes into being whole, each shard
 * checked on its way, and one process at a time makes it while others wait. Nothing is ever
 * removed: the folder may be deleted whenever nobody reads from it.
 */
final class ShardCache {

  private static final Logger LOG = LogManager.getLogger(ShardCache.class);

  /** Files are locked by processes, so threads of one process take turns by this, as any cache. */
  private static final Object THREADS = new Object();

  private final Path root;

  ShardCache(Path root) {
    this.root = root;
  }

  /**
   * The user's cache: {@code LENGTHWISE_CACHE}, or {@code lengthwise} where the desktop's custom
   * keeps caches, {@code XDG_CACHE_HOME} or {@code ~/.cache}.
   */
  static ShardCache ofUser(Map<String, String> environment, Path home) {
    String own = environment.getOrDefault("LENGTHWISE_CACHE", "");
    if (!own.isEmpty()) {
      return new ShardCache(Path.of(own));
    }
    String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path parent = caches.isEmpty() ? home.resolve(".cache") : Path.of(caches);
    return new ShardCache(parent.resolve("lengthwise"));
  }

  Path root() {
    return root;
  }

  /**
   * Finds or makes the copy of a folder.
   *
   * @param uri a finished shard folder on a Hadoop file system
   * @return the local folder, finished
   */
  Path localCopy(String uri) throws IOException {
    Storage storage = Storage.of(uri);
    requireFinished(storage, uri);
    byte[] manifest;
    try (InputStream in = storage.open(Storage.join(uri, Manifest.FILE))) {
      manifest = in.readAllBytes();
    }
    String name = Sha256.of(manifest);
    Path copy = root.resolve(name);
    if (!ArtifactFolder.isDone(copy)) {
      Files.createDirectories(root);
      copyInTurn(copy, folder -> fill(folder, storage, uri, manifest));
    }
    LOG.info("{} is read from its copy in {}", uri, copy);
    return copy;
  }

  private static void copyInTurn(Path copy, FolderWriter writer) throws IOException {
    synchronized (THREADS) {
      copyAlone(copy, writer);
    }
  }

  private static void copyAlone(Path copy, FolderWriter writer) throws IOException {
    Path lockFile = copy.resolveSibling(copy.getFileName() + ".turn");
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock turn = channel.lock()) {
      if (turn.isValid() && !ArtifactFolder.isDone(copy)) {
        ArtifactFolder.create(copy, writer);
      }
    }
  }

  private static void fill(Path folder, Storage storage, String uri, byte[] manifest)
      throws IOException {
    Files.write(folder.resolve(Manifest.FILE), manifest);
    List<ShardEntry> shards =
        Manifest.read(folder).splits().values().stream()
            .flatMap(split -> split.shards().stream())
            .toList();
    long numBytes = shards.stream().mapToLong(ShardEntry::bytes).sum();
    try (Progress progress = ProgressReporter.start("copy shards", "bytes", numBytes)) {
      long done = 0;
      for (ShardEntry shard : shards) {
        copy(storage, Storage.join(uri, shard.file()), folder.resolve(shard.file()), shard);
        done += shard.bytes();
        progress.advanceTo(done);
      }
    }
  }

  private static void copy(Storage storage, String source, Path destination, ShardEntry shard)
      throws IOException {
    MessageDigest digest = Sha256.newDigest();
    try (InputStream in = new DigestInputStream(storage.open(source), digest);
        OutputStream out = Files.newOutputStream(destination)) {
      in.transferTo(out);
    }
    String found = Sha256.hex(digest);
    if (!found.equals(shard.sha256())) {
      throw new DataFormatException(
          source,
          "the SHA-256 " + shard.sha256() + " of the manifest",
          found,
          "copy the shard again from where it came, or prepare the folder again");
    }
  }

  private static void requireFinished(Storage storage, String uri) throws IOException {
    if (!storage.isDone(uri)) {
      throw new ConfigException(
          uri,
          "a finished shard folder",
          storage.exists(uri) ? "no marker DONE in it" : "no such folder",
          "name a folder that prepare has finished");
    }
  }
}
