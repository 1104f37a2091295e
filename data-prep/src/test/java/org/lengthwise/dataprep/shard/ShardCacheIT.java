package org.lengthwise.dataprep.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.storage.HdfsCluster;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

@TestInstance(Lifecycle.PER_CLASS) // one cluster for all tests, because it takes seconds to start
class ShardCacheIT {

  private static final ShardLimits SMALL = new ShardLimits(100, 8_000);

  private final Path folder;
  private final MiniDFSCluster cluster;
  private final FileSystem hdfs;

  ShardCacheIT(@TempDir Path folder) throws IOException {
    this.folder = folder;
    cluster = HdfsCluster.start(folder);
    hdfs = cluster.getFileSystem();
  }

  @AfterAll
  void stopTheCluster() {
    cluster.shutdown(true);
  }

  @Test
  void aRemoteFolderIsCopiedOnceAndReadFromItsCopy() throws IOException {
    String uri = put("once", 1);
    ShardCache cache = new ShardCache(folder.resolve("cache-once"));
    int[] tokens = firstTokens(uri, cache);
    for (var shard : hdfs.listStatus(path("/once"))) {
      if (shard.getPath().getName().endsWith(".arrow")) {
        hdfs.delete(shard.getPath(), false);
      }
    }
    assertThat(firstTokens(uri, cache)).as("nothing is read again").isEqualTo(tokens);
    assertThat(tokens).isEqualTo(firstTokens(folder.resolve("once").toString(), cache));
  }

  @Test
  void changedDataHasItsOwnCopy() throws IOException {
    ShardCache cache = new ShardCache(folder.resolve("cache-changed"));
    Path before = cache.localCopy(put("changed", 2));
    hdfs.delete(path("/changed"), true);
    SampleFolder.write(folder.resolve("other"), SampleFolder.NARROW, SMALL, 3);
    hdfs.copyFromLocalFile(local("other"), path("/changed"));
    assertThat(cache.localCopy(hdfs.getUri() + "/changed")).isNotEqualTo(before);
  }

  @Test
  void twoThreadsThatOpenAtTheSameTimeGetTheSameCopy() throws Exception {
    String uri = put("twice", 4);
    Path root = folder.resolve("cache-twice");
    CompletableFuture<Path> other =
        CompletableFuture.supplyAsync(() -> copy(new ShardCache(root), uri));
    Path copy = copy(new ShardCache(root), uri);
    assertThat(other.get()).isEqualTo(copy);
    assertThat(names(folder.resolve("cache-twice")))
        .containsExactlyInAnyOrder(name(copy), name(copy) + ".turn");
  }

  @Test
  void aShardThatDiffersFromTheManifestLeavesNoCopy() throws IOException {
    String uri = put("damaged", 5);
    Path shard = Path.of("train-00000.arrow");
    byte[] content = Files.readAllBytes(folder.resolve("damaged").resolve(shard));
    content[content.length / 2]++;
    try (var out = hdfs.create(path("/damaged/" + shard), true)) {
      out.write(content);
    }
    ShardCache cache = new ShardCache(folder.resolve("cache-damaged"));
    assertThatThrownBy(() -> ShardFolder.open(uri, cache))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(uri + "/" + shard)
        .hasMessageContaining("SHA-256");
    assertThat(names(folder.resolve("cache-damaged"))).allMatch(name -> name.endsWith(".turn"));
  }

  @Test
  void aMissingOrUnfinishedFolderIsRejected() throws IOException {
    ShardCache cache = new ShardCache(folder.resolve("cache-missing"));
    String uri = put("half", 6);
    hdfs.delete(path("/half/DONE"), false);
    assertThatThrownBy(() -> ShardFolder.open(uri, cache))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no marker DONE");
    assertThatThrownBy(() -> ShardFolder.open(hdfs.getUri() + "/nowhere", cache))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no such folder");
  }

  private String put(String name, long seed) throws IOException {
    SampleFolder.write(folder.resolve(name), SampleFolder.NARROW, SMALL, seed);
    hdfs.copyFromLocalFile(local(name), path("/" + name));
    return hdfs.getUri() + "/" + name;
  }

  private static int[] firstTokens(String uri, ShardCache cache) {
    try (ShardFolder shards = ShardFolder.open(uri, cache)) {
      shards.verifyChecksums();
      int[] tokens = new int[50];
      shards.tokens(Split.TRAIN).read(0, tokens, 0, tokens.length);
      return tokens;
    }
  }

  private static Path copy(ShardCache cache, String uri) {
    try {
      return cache.localCopy(uri);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(ShardCacheIT::name).toList();
    }
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  private org.apache.hadoop.fs.Path local(String name) {
    return new org.apache.hadoop.fs.Path(folder.resolve(name).toUri());
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
