package org.lengthwise.dataprep.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.prepare.Preparation;
import org.lengthwise.dataprep.prepare.PrepareRequest;
import org.lengthwise.dataprep.prepare.PrepareSettings;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.prepare.SplitFractions;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.source.Packed;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;

/**
 * The jobs on YARN. One mapper is killed while it copies its shards to HDFS. The output must not
 * contain its files, and a second attempt must write all of them.
 */
@TestInstance(Lifecycle.PER_CLASS)
class YarnJobIT {

  /** The folder of a mapper's first attempt, until the committer moves it. */
  private static final Pattern FIRST_ATTEMPT =
      Pattern.compile("/(attempt_\\w+_m_\\d+_0)/.*[.]arrow");

  private static final PrepareSettings SETTINGS =
      new PrepareSettings(
          new SplitFractions(0.8, 0.1, 0.1),
          0,
          1 << 20,
          Deduplication.EXACT,
          new ShardLimits(10_000, 1 << 18));

  private final Path folder;
  private final Process cluster;

  YarnJobIT(@TempDir Path folder) throws IOException {
    this.folder = folder;
    cluster =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + folder,
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "-Dtest.build.data=" + folder,
                "-cp",
                System.getProperty("lengthwise.test.hadoop") + "/*:target/test-classes",
                ClusterProcess.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(Path.of("target", "yarn-cluster.log").toFile())
            .start();
  }

  @AfterAll
  void stopTheCluster() throws Exception {
    cluster.getOutputStream().close();
    assertThat(cluster.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aMapperThatIsKilledLeavesNeitherAGapNorADuplicate() throws Exception {
    Path corpus = folder.resolve("corpus.tar");
    Files.write(
        corpus,
        Packed.tar(
            Packed.entries(
                "a.jsonl",
                records(1, 12_000),
                "b.jsonl",
                records(2, 2000),
                "c.jsonl",
                records(1, 1000))));
    String tokenizer = words().toString();
    Path conf = folder.resolve("conf");
    try (Tokenizer opened = Tokenizers.of(tokenizer)) {
      PrepareRequest local =
          new PrepareRequest(
              List.of(corpus.toString()), folder.resolve("local").toString(), SETTINGS, 1);
      Preparation.run(local, opened);
      while (!Files.exists(conf)) {
        assertThat(cluster.waitFor(100, TimeUnit.MILLISECONDS)).as("ended too early").isFalse();
      }
      ClassLoader before = Thread.currentThread().getContextClassLoader();
      try (URLClassLoader withConf = new SiteFilesFirst(conf, before)) {
        Thread.currentThread().setContextClassLoader(withConf);
        prepareAndCompare(corpus, tokenizer, opened);
      } finally {
        Thread.currentThread().setContextClassLoader(before);
      }
    }
  }

  /** A tokenizer whose end-of-text is told by the file beside it. */
  private Path words() throws IOException {
    Files.writeString(folder.resolve("tokenizer_config.json"), "{\"eos_token\": \"[STOP]\"}");
    return Files.writeString(
        folder.resolve("tokenizer.json"),
        """
        {"added_tokens": [], "pre_tokenizer": {"type": "Whitespace"}, "model": {"type": "WordLevel",
          "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "[STOP]": 1, "the": 2, "record": 3}}}""");
  }

  private void prepareAndCompare(Path corpus, String tokenizer, Tokenizer opened) throws Exception {
    FileSystem hdfs = FileSystem.get(new Configuration());
    hdfs.mkdirs(new org.apache.hadoop.fs.Path("/in"));
    hdfs.copyFromLocalFile(
        new org.apache.hadoop.fs.Path(corpus.toUri()), new org.apache.hadoop.fs.Path("/in"));
    PrepareRequest request =
        new PrepareRequest(
            List.of(hdfs.getUri() + "/in/corpus.tar"), hdfs.getUri() + "/out", SETTINGS, 1);
    JobRequest job =
        new JobRequest(request, new MapReduceSettings(1 << 20, 768, 512), tokenizer, Map.of());
    CompletableFuture<Boolean> killed = CompletableFuture.supplyAsync(() -> killAMapper(hdfs));

    MapReducePreparation.run(job, opened);

    assertThat(killed.getNow(false)).as("a mapper was killed").isTrue();
    hdfs.copyToLocalFile(
        new org.apache.hadoop.fs.Path("/out"),
        new org.apache.hadoop.fs.Path(folder.resolve("remote").toUri()));
    assertThat(Documents.of(folder.resolve("remote")))
        .isEqualTo(Documents.of(folder.resolve("local")));
    assertThat(Manifest.read(folder.resolve("remote")).duplicates())
        .isEqualTo(Manifest.read(folder.resolve("local")).duplicates())
        .isEqualTo(1000);
    assertThat(Manifest.read(folder.resolve("remote")).inputs().get(0).sha256())
        .isEqualTo(Manifest.read(folder.resolve("local")).inputs().get(0).sha256());
    assertThat(hdfs.exists(new org.apache.hadoop.fs.Path("/.out.mapreduce"))).isFalse();
  }

  /** Waits until a mapper has copied one of several shards to HDFS, and kills its process. */
  private boolean killAMapper(FileSystem hdfs) {
    try {
      while (!cluster.waitFor(5, TimeUnit.MILLISECONDS)) {
        Optional<String> attempt = attemptThatPublishes(hdfs);
        if (attempt.isPresent()) {
          return process(attempt.get()).map(ProcessHandle::destroyForcibly).orElse(false);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private static Optional<String> attemptThatPublishes(FileSystem hdfs) {
    try {
      var files = hdfs.listFiles(new org.apache.hadoop.fs.Path("/.out.mapreduce/units"), true);
      while (files.hasNext()) {
        Matcher file = FIRST_ATTEMPT.matcher(files.next().getPath().toUri().getPath());
        if (file.find()) {
          return Optional.of(file.group(1));
        }
      }
    } catch (IOException e) {
      return Optional.empty(); // the folder does not exist yet, or a file was moved
    }
    return Optional.empty();
  }

  /** The JVM of an attempt, not the shell that started it. */
  private static Optional<ProcessHandle> process(String attempt) {
    Pattern mapper = Pattern.compile("/java .*YarnChild .*" + attempt + "( |$)");
    return ProcessHandle.allProcesses()
        .filter(process -> mapper.matcher(process.info().commandLine().orElse("")).find())
        .findFirst();
  }

  private static byte[] records(long seed, int count) {
    Random random = new Random(seed);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append("{\"text\":\"").append(seed);
      for (int word = 0; word < 40; word++) {
        lines.append(' ').append(Integer.toString(random.nextInt(36 * 36 * 36 * 36), 36));
      }
      lines.append("\"}\n");
    }
    return Packed.utf8(lines.toString());
  }

  /** A class path whose first site files are those of the cluster, before those of other tests. */
  private static final class SiteFilesFirst extends URLClassLoader {

    SiteFilesFirst(Path folder, ClassLoader parent) throws MalformedURLException {
      super(new URL[] {folder.toUri().toURL()}, parent);
    }

    @Override
    public @Nullable URL getResource(String name) {
      URL site = findResource(name);
      return site != null ? site : super.getResource(name);
    }
  }
}
