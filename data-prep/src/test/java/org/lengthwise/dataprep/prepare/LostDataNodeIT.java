package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.storage.HdfsCluster;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.DataFormatException;

/** A DataNode is lost in the middle of a run, on a cluster of two. */
@TestInstance(Lifecycle.PER_CLASS) // one cluster for all tests, because it takes seconds to start
class LostDataNodeIT {

  private static final int BLOCK_BYTES = 1 << 20;
  private static final int NUM_DOCUMENTS = 4000;

  private final Path folder;
  private final MiniDFSCluster cluster;
  private final FileSystem hdfs;

  LostDataNodeIT(@TempDir Path folder) throws IOException {
    this.folder = folder;
    Configuration configuration = new Configuration();
    configuration.setInt("dfs.blocksize", BLOCK_BYTES);
    configuration.setInt("dfs.client.retry.window.base", 10); // retries immediately, not after 3 s
    cluster = HdfsCluster.start(folder, configuration, 2);
    hdfs = cluster.getFileSystem();
  }

  @AfterAll
  void stopTheCluster() {
    cluster.shutdown(true);
  }

  @Test
  void readsAndWritesContinueWithTheOtherReplica() throws IOException {
    write("/replicated.jsonl", (short) 2);
    Plug plug = new Plug(0);
    try (Tokenizer tokenizer = new WatchedTokenizer(plug)) {
      assertThat(run("/replicated.jsonl", "/out/replicated", tokenizer)).isTrue();
      assertThat(plug.lost).as("stopped while documents were read").isNotNull();
      assertThat(cluster.restartDataNode(Objects.requireNonNull(plug.lost))).isTrue();
    }
    cluster.waitActive();
    hdfs.copyToLocalFile(path("/out/replicated"), new org.apache.hadoop.fs.Path(folder.toUri()));
    try (ShardFolder shards = ShardFolder.open(folder.resolve("replicated").toString())) {
      shards.verifyChecksums();
      assertThat(shards.manifest().split(Split.TRAIN).documents()).isEqualTo(NUM_DOCUMENTS);
    }
  }

  @Test
  void aLostOnlyReplicaIsNamedAndLeavesNoOutput() throws IOException {
    write("/single.jsonl", (short) 1);
    int last = (NUM_DOCUMENTS * 1000 - 1) / BLOCK_BYTES * BLOCK_BYTES;
    String holder = hdfs.getFileBlockLocations(path("/single.jsonl"), last, 1)[0].getNames()[0];
    int index = cluster.getDataNodes().get(0).getXferAddress().toString().endsWith(holder) ? 0 : 1;
    Plug plug = new Plug(index);
    try (Tokenizer tokenizer = new WatchedTokenizer(plug)) {
      assertThatThrownBy(() -> run("/single.jsonl", "/out/single", tokenizer))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContaining(hdfs.getUri() + "/single.jsonl")
          .hasMessageContaining("Could not obtain block");
      assertThat(hdfs.exists(path("/out/single"))).isFalse();
      assertThat(cluster.restartDataNode(Objects.requireNonNull(plug.lost))).isTrue();
    }
    cluster.waitActive();
  }

  private boolean run(String input, String output, Tokenizer tokenizer) throws IOException {
    PrepareSettings settings =
        new PrepareSettings(
            new SplitFractions(1, 0, 0),
            0,
            4096,
            Deduplication.NONE,
            new ShardLimits(100_000, 1 << 22));
    PrepareRequest request =
        new PrepareRequest(List.of(hdfs.getUri() + input), hdfs.getUri() + output, settings, 1);
    return Preparation.run(request, tokenizer).isPresent();
  }

  private void write(String file, short replication) throws IOException {
    Random random = new Random(7);
    byte[] record = new byte[1000];
    try (var out = hdfs.create(path(file), true, 4096, replication, BLOCK_BYTES)) {
      for (int i = 0; i < NUM_DOCUMENTS; i++) {
        StringBuilder text = new StringBuilder("{\"text\":\"").append(i).append(' ');
        while (text.length() < record.length - 3) {
          text.append((char) ('a' + random.nextInt(26)));
        }
        out.write(
            text.append("\"}\n").toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
      }
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  /** Stops a DataNode at the first document. */
  private final class Plug implements Consumer<String> {

    private final int index;
    private @Nullable DataNodeProperties lost;

    Plug(int index) {
      this.index = index;
    }

    @Override
    public void accept(String text) {
      if (lost == null) {
        lost = cluster.stopDataNode(index);
      }
    }
  }
}
