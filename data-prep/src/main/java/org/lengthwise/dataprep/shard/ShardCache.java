package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.ArtifactFolder.FolderWriter;
import org.lengthwise.artifact.LockFile;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.progress.Progress;
import org.lengthwise.progress.ProgressReporter;

/**
 * Local copies of shard folders on other file systems. Shards are mapped into memory, so they must
 * be local.
 *
 * <p>The name of a copy is the SHA-256 of its manifest, which holds the checksum of each shard. So
 * changed data gets a new name, equal data at two addresses has one copy, and an existing copy
 * needs only the manifest of the original. Each shard is verified while it is copied. One process
 * copies while others wait. This class never deletes a copy; the user may delete the cache when no
 * process reads it.
 */
final class ShardCache {

  private static final Logger LOG = LogManager.getLogger(ShardCache.class);

  /** A lock file excludes other processes only; this object excludes other threads. */
  private static final Object THREADS = new Object();

  private final Path root;

  ShardCache(Path root) {
    this.root = root;
  }

  /**
   * The user's cache: {@code LENGTHWISE_CACHE}, else {@code lengthwise} in {@code XDG_CACHE_HOME},
   * else in {@code ~/.cache}.
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

  /** {@return the complete local copy of a folder, which is made if it is missing} */
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
      copyOnce(copy, folder -> fill(folder, storage, uri, manifest));
    }
    LOG.info("reading {} from its copy {}", uri, copy);
    return copy;
  }

  private static void copyOnce(Path copy, FolderWriter writer) throws IOException {
    Path lockFile = copy.resolveSibling(copy.getFileName() + ".turn");
    synchronized (THREADS) {
      try (LockFile lock = LockFile.lock(lockFile)) {
        Objects.requireNonNull(lock);
        if (!ArtifactFolder.isDone(copy)) {
          ArtifactFolder.create(copy, writer);
        }
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
          "copy the shard again from its source, or prepare the folder again");
    }
  }

  private static void requireFinished(Storage storage, String uri) throws IOException {
    if (!storage.isDone(uri)) {
      throw new ConfigException(
          uri,
          "a finished shard folder",
          storage.exists(uri) ? "no marker DONE in it" : "no such folder",
          "name a folder that `prepare` has finished");
    }
  }
}
