package org.lengthwise.dataprep.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lengthwise.dataprep.source.Packed.entries;
import static org.lengthwise.dataprep.source.Packed.gzip;
import static org.lengthwise.dataprep.source.Packed.tar;
import static org.lengthwise.dataprep.source.Packed.utf8;
import static org.lengthwise.dataprep.source.Packed.zstd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.prepare.Preparation;
import org.lengthwise.dataprep.prepare.PrepareRequest;
import org.lengthwise.dataprep.prepare.PrepareSettings;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.prepare.PrepareSummary;
import org.lengthwise.dataprep.prepare.SplitFractions;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.source.DuckDb;
import org.lengthwise.dataprep.storage.HdfsCluster;
import org.lengthwise.dataprep.tokenizer.BytesTokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** The job's tasks in this process, one after another, with a real HDFS. */
@TestInstance(Lifecycle.PER_CLASS) // one cluster for all tests, because it takes seconds to start
class MapReducePreparationIT {

  private static final long SEED = Long.getLong("lengthwise.test.seed", 20261121L);

  private final Path folder;
  private final MiniDFSCluster cluster;
  private final FileSystem hdfs;

  MapReducePreparationIT(@TempDir Path folder) throws IOException {
    this.folder = folder;
    cluster = HdfsCluster.start(folder);
    hdfs = cluster.getFileSystem();
    hdfs.mkdirs(path("/in"));
  }

  @AfterAll
  void stopTheCluster() {
    cluster.shutdown(true);
  }

  @Test
  void theDocumentsAreThoseOfALocalRun() throws IOException {
    Path corpus = Files.createDirectories(folder.resolve("corpus"));
    Files.write(
        corpus.resolve("a.tar"),
        tar(
            entries(
                "one.jsonl.zst",
                zstd(records("one", 300)),
                "image.png",
                new byte[9],
                "two.jsonl",
                records("two", 200),
                "three.txt",
                "a text")));
    Files.write(corpus.resolve("b.tar.gz"), gzip(tar(entries("m.jsonl", records("m", 100)))));
    Files.write(corpus.resolve("c.jsonl"), utf8("{\"text\":\"c\"}\nbroken\n\n{\"text\":\"d\"}\n"));
    copyIn(corpus, "/in/corpus");

    Manifest found = requireSameAsLocally("corpus", settings(1));
    assertThat(found.split(Split.TRAIN).shards()).hasSizeGreaterThan(2);
    assertThat(found.rejects()).isEqualTo(1);
    assertThat(run("/in/corpus", "/out/corpus", settings(1))).as("already finished").isEmpty();
  }

  @Test
  void theDocumentsOfRowGroupsAreThoseOfALocalRun() throws IOException {
    Path corpus = Files.createDirectories(folder.resolve("tables"));
    Files.write(corpus.resolve("a.tar"), tar(entries("image.png", new byte[9])));
    String rows = "SELECT CASE WHEN i = 7 THEN NULL ELSE 'row ' || i END AS text, i AS other";
    DuckDb.write(
        corpus.resolve("b.parquet"),
        rows + " FROM range(10000) t(i)",
        "COMPRESSION snappy, ROW_GROUP_SIZE 2048");
    copyIn(corpus, "/in/tables");

    Manifest found = requireSameAsLocally("tables", settings(1, Deduplication.EXACT));
    assertThat(found.split(Split.TRAIN).shards()).as("row groups in tasks").hasSize(5);
    assertThat(found.rejects()).isEqualTo(1);
  }

  @Test
  void theFirstOfEqualTextsStaysInWhicheverUnit() throws IOException {
    Path corpus = Files.createDirectories(folder.resolve("duplicates"));
    Random random = new Random(SEED);
    Files.write(
        corpus.resolve("a.tar"),
        tar(
            entries(
                "one.jsonl.zst",
                zstd(repeatedRecords(random)),
                "image.png",
                new byte[9],
                "two.jsonl",
                repeatedRecords(random),
                "three.txt",
                " word\t1 ")));
    Files.write(corpus.resolve("b.tar.gz"), gzip(tar(entries("m.jsonl", repeatedRecords(random)))));
    Files.write(corpus.resolve("c.jsonl"), repeatedRecords(random));
    copyIn(corpus, "/in/duplicates");

    PrepareSettings settings = settings(1000, Deduplication.EXACT);
    Manifest found = requireSameAsLocally("duplicates", settings);
    assertThat(found.duplicates()).as("seed %s", SEED).isBetween(100L, 2500L);
    assertThat(found.rejects()).isPositive();
    assertThat(run("/in/duplicates", "/out/duplicates", settings)).as("already finished").isEmpty();
  }

  @Test
  void tooManyRejectsAlsoEndTheSearchForDuplicates() throws IOException {
    write("/in/flawed.jsonl", utf8("{\"text\":\"a\"}\n{\"a\":1}\n{\"b\":1}\n"));
    assertThatThrownBy(
            () -> run("/in/flawed.jsonl", "/out/flawed", settings(1, Deduplication.EXACT)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(uri("/in/flawed.jsonl") + ":3")
        .hasMessageContaining("at most 1 malformed records, found one more");
    requireNothingLeft("flawed");
  }

  /** Prepares {@code /in/NAME} locally and as a job, and compares the outputs. */
  private Manifest requireSameAsLocally(String name, PrepareSettings settings) throws IOException {
    Path expected = folder.resolve(name + "-local");
    PrepareSummary local =
        Preparation.run(
                new PrepareRequest(List.of(uri("/in/" + name)), expected.toString(), settings, 1),
                new BytesTokenizer())
            .orElseThrow();
    PrepareSummary cluster = run("/in/" + name, "/out/" + name, settings).orElseThrow();

    assertThat(hdfs.exists(path("/out/." + name + ".mapreduce"))).as("temporary").isFalse();
    Path copied = folder.resolve(name + "-cluster");
    hdfs.copyToLocalFile(path("/out/" + name), new org.apache.hadoop.fs.Path(copied.toUri()));
    assertThat(Documents.of(copied)).isEqualTo(Documents.of(expected));
    assertThat(copied.resolve("rejects.jsonl"))
        .hasSameBinaryContentAs(expected.resolve("rejects.jsonl"));
    Manifest found = Manifest.read(copied);
    Manifest manifest = Manifest.read(expected);
    assertThat(found.inputs()).isEqualTo(manifest.inputs());
    assertThat(found.settings()).isEqualTo(manifest.settings());
    assertThat(found.rejects()).isEqualTo(manifest.rejects());
    assertThat(found.duplicates()).isEqualTo(manifest.duplicates());
    assertThat(cluster.tally().duplicates()).isEqualTo(manifest.duplicates());
    assertThat(cluster.tally().textBytes()).isEqualTo(local.tally().textBytes());
    assertThat(cluster.tally().skipped()).isEqualTo(local.tally().skipped()).isEqualTo(1);
    return found;
  }

  @Test
  void tooManyRejectsOfOneTaskEndTheJobWithTheMessageOfALocalRun() throws IOException {
    write("/in/bad.jsonl", utf8("{\"text\":\"a\"}\n{\"a\":1}\n{\"b\":1}\n"));
    assertThatThrownBy(() -> run("/in/bad.jsonl", "/out/bad", settings(1)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(uri("/in/bad.jsonl") + ":3")
        .hasMessageContaining("at most 1 malformed records, found one more");
    requireNothingLeft("bad");
  }

  @Test
  void rejectsAreCountedOverAllTasks() throws IOException {
    write("/in/many/a.jsonl", utf8("{\"text\":\"a\"}\n{\"a\":1}\n" + " \n".repeat(2500)));
    write("/in/many/b.jsonl", utf8("{\"text\":\"b\"}\n{\"b\":1}\n" + " \n".repeat(2500)));
    assertThatThrownBy(() -> run("/in/many", "/out/many", settings(1)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("at most 1 malformed records, found 2");
    requireNothingLeft("many");
    assertThat(run("/in/many", "/out/many", settings(2)).orElseThrow().tally().rejects())
        .isEqualTo(2);
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    byte[] packed = zstd(records("x", 100));
    write("/in/cut.jsonl.zst", java.util.Arrays.copyOf(packed, packed.length - 1));
    assertThatThrownBy(() -> run("/in/cut.jsonl.zst", "/out/cut", settings(0)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(uri("/in/cut.jsonl.zst"))
        .hasMessageContaining("a whole and undamaged file");
    requireNothingLeft("cut");
  }

  @Test
  void aClaimedWorkspaceAnExistingOutputAndALocalPathAreMistakesOfTheCommand() throws IOException {
    write("/in/x.txt", utf8("x"));
    hdfs.create(path("/out/.claimed.mapreduce/claim")).close();
    assertThatThrownBy(() -> run("/in/x.txt", "/out/claimed", settings(0)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("another run uses it");
    assertThatThrownBy(() -> run("/in/x.txt", "/in", settings(0)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("not a finished artifact");
    Map<String, String> properties = Map.of();
    PrepareRequest local =
        new PrepareRequest(List.of(uri("/in/x.txt")), folder.toString(), settings(0), 1);
    JobRequest request = new JobRequest(local, new MapReduceSettings(1, 2, 1), "bytes", properties);
    assertThatThrownBy(() -> MapReducePreparation.run(request, new BytesTokenizer()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a path on this machine");
    assertThat(hdfs.exists(path("/out/.claimed.mapreduce/claim"))).isTrue();
  }

  private void requireNothingLeft(String output) throws IOException {
    assertThat(hdfs.exists(path("/out/" + output))).isFalse();
    assertThat(hdfs.exists(path("/out/." + output + ".mapreduce"))).isFalse();
  }

  private Optional<PrepareSummary> run(String input, String output, PrepareSettings settings)
      throws IOException {
    PrepareRequest prepare = new PrepareRequest(List.of(uri(input)), uri(output), settings, 1);
    Map<String, String> properties =
        Map.of(
            "hadoop.tmp.dir",
            folder.resolve("tmp").toString(),
            "mapreduce.job.reduces",
            "3",
            "mapreduce.task.io.sort.mb",
            "1");
    return MapReducePreparation.run(
        new JobRequest(prepare, new MapReduceSettings(4000, 512, 256), "bytes", properties),
        new BytesTokenizer());
  }

  private static PrepareSettings settings(int rejectLimit) {
    return settings(rejectLimit, Deduplication.NONE);
  }

  private static PrepareSettings settings(int rejectLimit, Deduplication dedup) {
    return new PrepareSettings(
        new SplitFractions(0.5, 0.25, 0.25),
        rejectLimit,
        4096,
        dedup,
        new ShardLimits(1000, 1 << 20));
  }

  private static byte[] records(String name, int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append("{\"text\":\"").append(name).append(' ').append(i).append("\"}\n");
    }
    return utf8(lines.toString());
  }

  /** Many duplicate texts with other white space, and duplicate malformed records. */
  private static byte[] repeatedRecords(Random random) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 700; i++) {
      if (random.nextInt(20) == 0) {
        lines.append("{\"text\":\"\"}\n");
      } else {
        String space = random.nextBoolean() ? " " : "\\n\\t";
        lines.append("{\"text\":\"word").append(space).append(random.nextInt(1500)).append("\"}\n");
      }
    }
    return utf8(lines.toString());
  }

  private void write(String remote, byte[] content) throws IOException {
    try (var out = hdfs.create(path(remote))) {
      out.write(content);
    }
  }

  private void copyIn(Path local, String remote) throws IOException {
    hdfs.copyFromLocalFile(new org.apache.hadoop.fs.Path(local.toUri()), path(remote));
  }

  private String uri(String path) {
    return hdfs.getUri() + path;
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
