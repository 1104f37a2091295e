package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.source.Packed;
import org.lengthwise.dataprep.storage.HdfsCluster;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.tokenizer.BytesTokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

@TestInstance(Lifecycle.PER_CLASS) // one cluster for all tests, because it takes seconds to start
class HadoopPreparationIT {

  private static final byte[] RECORDS =
      Packed.utf8("{\"text\":\"one\"}\n{\"text\":\"two\"}\n{\"text\":\"three\"}\n".repeat(50));

  private final Path folder;
  private final MiniDFSCluster cluster;

  HadoopPreparationIT(@TempDir Path folder) throws IOException {
    this.folder = folder;
    cluster = HdfsCluster.start(folder);
  }

  @AfterAll
  void stopTheCluster() {
    cluster.shutdown(true);
  }

  @Test
  void hdfsInAndOutGivesTheSameFilesAsTheLocalDisk() throws IOException {
    Path corpus = Files.createDirectories(folder.resolve("corpus/deep"));
    Files.write(corpus.resolve("a.tar"), Packed.tar(Packed.entries("m.jsonl", RECORDS)));
    Files.write(folder.resolve("corpus/b.zip"), Packed.zip(Packed.entries("t", "a text")));
    FileSystem hdfs = cluster.getFileSystem();
    copyIn(folder.resolve("corpus"), "/in/corpus");

    run(folder.resolve("corpus").toString(), folder.resolve("local").toString());
    run(uri("/in/corpus"), uri("/out/remote"));

    assertThat(hdfs.exists(path("/out/remote/DONE"))).isTrue();
    assertThat(hdfs.listStatus(path("/out")))
        .extracting(file -> file.getPath().getName())
        .as("no temporary files next to it")
        .noneMatch(name -> name.startsWith("."));
    hdfs.copyToLocalFile(path("/out/remote"), new org.apache.hadoop.fs.Path(folder.toUri()));
    for (String file : names(folder.resolve("local"))) {
      if (!file.equals("manifest.json")) { // contains the name of the input
        assertThat(folder.resolve("remote").resolve(file))
            .as(file)
            .hasSameBinaryContentAs(folder.resolve("local").resolve(file));
      }
    }
    assertThat(run(uri("/in/corpus"), uri("/out/remote"))).isFalse();
  }

  @Test
  void badInputAndAnOutputThatExistsAreNamedByTheirUri() throws IOException {
    Path cut = folder.resolve("cut.jsonl.zst");
    byte[] packed = Packed.zstd(RECORDS);
    Files.write(cut, java.util.Arrays.copyOf(packed, packed.length - 1));
    copyIn(cut, "/in/cut.jsonl.zst");
    Files.write(cut, packed);
    copyIn(cut, "/in/whole.jsonl.zst");
    assertThatThrownBy(() -> run(uri("/in/cut.jsonl.zst"), uri("/out/cut")))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(uri("/in/cut.jsonl.zst"));
    assertThat(cluster.getFileSystem().exists(path("/out/cut"))).isFalse();
    assertThatThrownBy(() -> run(uri("/in/none.txt"), uri("/out/none")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(uri("/in/none.txt"));
    assertThatThrownBy(() -> run(uri("/in/whole.jsonl.zst"), uri("/in")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(uri("/in") + ":");
  }

  @Test
  void aSecondAttemptResumesTheFirst() throws IOException {
    Storage storage = Storage.of(uri("/out/resumed"));
    assertThatThrownBy(
            () ->
                storage.create(
                    uri("/out/resumed"),
                    workspace -> {
                      Files.writeString(workspace.content().resolve("first"), "1");
                      Files.writeString(workspace.progress(), "half");
                      throw new IOException("out of luck");
                    }))
        .hasMessage("out of luck");
    assertThat(cluster.getFileSystem().exists(path("/out/resumed"))).isFalse();
    storage.create(
        uri("/out/resumed"),
        workspace -> {
          assertThat(workspace.progress()).hasContent("half");
          Files.writeString(workspace.content().resolve("second"), "2");
        });
    assertThat(cluster.getFileSystem().listStatus(path("/out/resumed")))
        .extracting(file -> file.getPath().getName())
        .containsExactlyInAnyOrder("first", "second", "DONE");
  }

  /**
   * The second writer has another local workspace, as on another machine. Both share the file
   * system.
   */
  @Test
  void theSecondOfTwoWritersKeepsTheOutputOfTheFirst() throws IOException {
    FileSystem hdfs = cluster.getFileSystem();
    assertThatThrownBy(
            () ->
                Storage.of(uri("/out/race"))
                    .create(uri("/out/race"), workspace -> hdfs.mkdirs(path("/out/race/first"))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("found a folder that another process has just created");
    assertThat(hdfs.listStatus(path("/out/race")))
        .extracting(file -> file.getPath().getName())
        .containsExactly("first");
    assertThat(hdfs.listStatus(path("/out")))
        .extracting(file -> file.getPath().getName())
        .as("no temporary files next to it")
        .noneMatch(name -> name.startsWith("."));
  }

  private static boolean run(String input, String output) throws IOException {
    PrepareSettings settings =
        new PrepareSettings(
            new SplitFractions(0.8, 0.1, 0.1),
            0,
            4096,
            Deduplication.NONE,
            new ShardLimits(1000, 1 << 20));
    return Preparation.run(
            new PrepareRequest(List.of(input), output, settings, 2), new BytesTokenizer())
        .isPresent();
  }

  private void copyIn(Path local, String remote) throws IOException {
    FileSystem hdfs = cluster.getFileSystem();
    hdfs.mkdirs(path("/in"));
    hdfs.copyFromLocalFile(new org.apache.hadoop.fs.Path(local.toUri()), path(remote));
  }

  private String uri(String path) throws IOException {
    return cluster.getFileSystem().getUri() + path;
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
