package org.lengthwise.training.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.cli.PrepareCommand;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.RunLock;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.DivergenceException;
import org.lengthwise.training.loop.Trainer;
import org.lengthwise.training.loop.TrainingRun;
import picocli.CommandLine;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TrainCommandIT {
  private static final Path CONF = Path.of("../conf").toAbsolutePath().normalize();

  @TempDir private static Path folder;

  @BeforeAll
  static void writeDataAndAConfiguration() throws IOException {
    for (String name : List.of("text", "other")) {
      Random random = new Random(name.hashCode());
      Files.createDirectories(folder.resolve(name));
      for (int document = 0; document < 60; document++) {
        StringBuilder text = new StringBuilder();
        for (int letter = 0; letter < 200; letter++) {
          text.append((char) ('a' + random.nextInt(26)));
        }
        Files.writeString(folder.resolve(name).resolve(document + ".txt"), text);
      }
    }
    prepare("text", "shards", "bytes");
    Files.writeString(
        folder.resolve("train.yaml"),
        """
        extends: [%1$s/base.yaml, %1$s/model/tiny.yaml, %1$s/position/alibi.yaml]
        model: {layers: 2, width: 16, heads: 2}
        training:
          length: 16
          batch: 4
          micro_batch: 4
          steps: 40
          precision: float32
          device: cpu
          metrics_interval: 1
          validation: {interval: 20, sequences: 4}
          checkpoint: {interval: 20, keep: 1}
        """
            .formatted(CONF));
  }

  private static void prepare(String text, String shards, String tokenizer) {
    int code =
        new CommandLine(new PrepareCommand())
            .execute(
                "--config=" + CONF.resolve("prepare.yaml"),
                "--input=" + folder.resolve(text),
                "--output=" + folder.resolve(shards),
                "--tokenizer=" + tokenizer,
                "--set=split.train=0.8",
                "--set=split.validation=0.1",
                "--set=split.test=0.1");
    assertThat(code).isZero();
  }

  private static List<String> arguments(String output, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--config=" + folder.resolve("train.yaml"),
                "--data=" + folder.resolve("shards"),
                "--output=" + folder.resolve(output)));
    arguments.addAll(List.of(more));
    return arguments;
  }

  /** A train command that may be killed. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      System.exit(new CommandLine(new TrainCommand()).execute(arguments));
    }
  }

  private static Process start(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectError(folder.resolve("err").toFile()).start();
  }

  private static TrainingConfig config(String... settings) {
    return ConfigLoader.load(folder.resolve("train.yaml"), List.of(settings))
        .bind(TrainingConfig.class);
  }

  private static Trainer.Outcome advance(String shards, String output, String... settings)
      throws IOException {
    TrainingConfig config = config(settings);
    try (ShardFolder data = ShardFolder.open(folder.resolve(shards).toString())) {
      return TrainingRun.advance(config, data, folder.resolve(output), true, () -> false);
    }
  }

  private static long newestStep(String output) throws IOException {
    Path newest = new RunFolder(folder.resolve(output)).newest().orElseThrow();
    return Checkpoint.open(newest).state().step();
  }

  @Test
  @Order(1)
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void terminatedRunSaysHowToGoOn() throws IOException, InterruptedException {
    Files.createDirectories(folder.resolve("endless"));
    try (WatchService watch = folder.getFileSystem().newWatchService()) {
      folder.resolve("endless").register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      Process process = start(arguments("endless", "--set=training.steps=10000000"));
      boolean began = false;
      while (!began && process.isAlive()) {
        watch.poll(1, TimeUnit.SECONDS);
        began = Files.exists(new RunFolder(folder.resolve("endless")).metrics());
      }
      process.toHandle().destroy();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(Files.readString(folder.resolve("err"))).isZero();
      long step = newestStep("endless");
      assertThat(said)
          .startsWith("stopped after step " + step + "; to go on:")
          .contains("scripts/lengthwise", "--data=" + folder.resolve("shards"), " --resume");
    }
  }

  @Test
  @Order(2)
  void finishedRunIsLeftAsItIs() throws IOException {
    StringWriter out = new StringWriter();
    CommandLine train = new CommandLine(new TrainCommand()).setOut(new PrintWriter(out, true));
    String[] arguments = arguments("run").toArray(String[]::new);
    assertThat(train.execute(arguments)).isZero();
    assertThat(newestStep("run")).isEqualTo(40);
    String metrics = Files.readString(folder.resolve("run/metrics.jsonl"));
    assertThat(train.execute(arguments)).isZero();
    assertThat(folder.resolve("run/metrics.jsonl")).hasContent(metrics);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  @Order(2)
  void dryRunSaysWhatTheRunWouldTakeAndWritesNothing() {
    StringWriter out = new StringWriter();
    CommandLine train = new CommandLine(new TrainCommand()).setOut(new PrintWriter(out, true));
    assertThat(
            train.execute(arguments("dry", "--dry-run", "--devices=cpu:2").toArray(new String[0])))
        .isZero();
    assertThat(out.toString())
        .contains(
            "alibi, seed 1", "2 executed at 16 tokens", "2,560 in 40 steps", "cpu:2, 2 replicas");
    assertThat(folder.resolve("dry")).doesNotExist();
  }

  @Test
  @Order(3)
  void checkpointOfAnotherRunIsRefusedBeforeAnyStep() throws IOException {
    String metrics = Files.readString(folder.resolve("run/metrics.jsonl"));
    prepare("other", "other-shards", "bytes");
    prepare("text", "gpt2-shards", "gpt2");
    assertThatThrownBy(() -> advance("other-shards", "run"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("sha256 is ");
    assertThatThrownBy(() -> advance("gpt2-shards", "run"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("tokenizer.name is \"bytes\" there and \"gpt2\" now");
    assertThatThrownBy(() -> advance("shards", "run", "model.width=32"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("model.width is 16 there and 32 now");
    assertThat(folder.resolve("run/metrics.jsonl")).hasContent(metrics);
  }

  @Test
  @Order(4)
  void damagedCheckpointIsRefused() throws IOException {
    Path newest = new RunFolder(folder.resolve("run")).newest().orElseThrow();
    Path file = newest.resolve("optimizer.safetensors");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> advance("shards", "run"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("optimizer.safetensors");
  }

  @Test
  void whoRemovesADamagedCheckpointGoesOnFromTheOneBefore() throws IOException {
    String[] settings = {"training.checkpoint.keep=2"};
    Path newest = advance("shards", "damaged", settings).checkpoint();
    Path older = new RunFolder(folder.resolve("damaged")).checkpoint(20);
    Files.writeString(newest.resolve("model.safetensors"), "not a tensor");
    assertThatThrownBy(() -> advance("shards", "damaged", settings))
        .isInstanceOf(DataFormatException.class)
        .hasMessageEndingWith("to go on from %s, remove %s".formatted(older, newest));
    ArtifactFolder.delete(newest);
    assertThat(advance("shards", "damaged", settings).isFinished()).isTrue();
  }

  @Test
  void folderOfARunThatEndedBeforeItsFirstLineIsFree() throws IOException {
    Files.createDirectories(folder.resolve("early/checkpoints/.step-00000020.partial"));
    Files.createFile(folder.resolve("early/.lock"));
    CommandLine train = new CommandLine(new TrainCommand());
    assertThat(train.execute(arguments("early").toArray(new String[0]))).isZero();
    assertThat(new RunFolder(folder.resolve("early")).newest()).isPresent();
    assertThat(folder.resolve("early/checkpoints/.step-00000020.partial")).doesNotExist();
  }

  @Test
  void refusedRunLeavesTheFolderFree() throws IOException {
    for (String wrong : List.of("training.device=gpu:77", "training.device=cpu:3")) {
      assertThatThrownBy(() -> advance("shards", "refused", wrong))
          .as(wrong)
          .isInstanceOf(ConfigException.class);
    }
    assertThatThrownBy(() -> advance("shards", "refused", "training.length=100000"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("at least 100001 tokens");
    assertThat(folder.resolve("refused").toFile().list()).containsExactly(".lock");
    CommandLine train = new CommandLine(new TrainCommand());
    assertThat(train.execute(arguments("refused").toArray(new String[0]))).isZero();
  }

  @Test
  void secondRunInAFolderIsRefused() throws IOException {
    try (RunLock lock = RunLock.of(folder.resolve("taken"))) {
      assertThatThrownBy(() -> advance("shards", "taken"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("another process trains here");
      assertThat(lock.folder().metrics()).doesNotExist();
    }
  }

  @Test
  void whatChangesNoNumberMayDifferWhenARunGoesOn() throws IOException {
    try (ShardFolder data = ShardFolder.open(folder.resolve("shards").toString())) {
      TrainingRun.advance(config(), data, folder.resolve("changed"), true, () -> true);
    }
    assertThatThrownBy(() -> advance("shards", "changed", "training.guard.jump=9.0"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("training.guard.jump is ");
    Trainer.Outcome outcome =
        advance(
            "shards",
            "changed",
            "training.checkpoint.keep=3",
            "training.checkpoint.interval=13",
            "training.metrics_interval=2",
            "training.micro_batch=2",
            "training.tensorboard=false",
            "training.guard.action=roll-back");
    assertThat(outcome.isFinished()).isTrue();
    assertThat(new RunFolder(folder.resolve("changed")).checkpoints())
        .contains(new RunFolder(folder.resolve("changed")).checkpoint(26));
  }

  @Test
  void folderThatCannotBeWrittenAnyLongerEndsTheRunWithAReason() throws IOException {
    Path checkpoints = folder.resolve("lost/checkpoints");
    BooleanSupplier loss =
        () -> {
          try {
            if (Files.isDirectory(checkpoints)) {
              Files.delete(checkpoints);
              Files.createFile(checkpoints);
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return true;
        };
    try (ShardFolder data = ShardFolder.open(folder.resolve("shards").toString())) {
      assertThatThrownBy(
              () -> TrainingRun.advance(config(), data, folder.resolve("lost"), true, loss))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("expected a folder that files can be written into until")
          .hasMessageContaining("go on with --resume");
    }
  }

  private static final String[] DIVERGING = {
    "optimizer.learning_rate=2",
    "optimizer.warmup_fraction=1",
    "training.checkpoint.interval=4",
    "training.guard.window=4",
    "training.guard.jump=1.5"
  };

  private static String[] diverging(String... more) {
    return Stream.concat(Stream.of(DIVERGING), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void lossThatJumpsStopsTheRun() {
    assertThatThrownBy(() -> advance("shards", "stopped", diverging()))
        .isInstanceOf(DivergenceException.class)
        .hasMessageContaining("more than 1.5 times the median")
        .hasMessageContaining("at learning rate ")
        .hasMessageContaining("the last good checkpoint is " + folder.resolve("stopped"))
        .hasMessageContaining("--resume --set training.guard.action=roll-back");
  }

  @Test
  void whoFollowsTheAdviceOfADivergenceComesToTheEnd() throws IOException {
    String lower = "training.guard.learning_rate_factor=1.0e-4";
    String[] advice = new String[1];
    assertThatThrownBy(() -> advance("shards", "advised", diverging(lower)))
        .isInstanceOfSatisfying(
            DivergenceException.class,
            e -> advice[0] = between(String.valueOf(e.getMessage()), " --set ", " "));
    Trainer.Outcome outcome = advance("shards", "advised", diverging(lower, advice[0]));
    assertThat(outcome.isFinished()).isTrue();
    assertThat(Checkpoint.open(outcome.checkpoint()).state().guard().numRollBacks()).isEqualTo(1);
  }

  private static String between(String text, String before, String after) {
    int begin = text.indexOf(before) + before.length();
    return text.substring(begin, text.indexOf(after, begin));
  }

  @Test
  void lossThatJumpsSendsTheRunBackOnce() throws IOException {
    String[] settings =
        diverging("training.guard.action=roll-back", "training.guard.learning_rate_factor=1.0e-4");
    Trainer.Outcome outcome = advance("shards", "back", settings);
    assertThat(outcome.isFinished()).isTrue();
    assertThat(Checkpoint.open(outcome.checkpoint()).state().guard().numRollBacks()).isEqualTo(1);
    List<String> metrics = Files.readAllLines(folder.resolve("back/metrics.jsonl"));
    assertThat(metrics).filteredOn(line -> line.contains("\"kind\":\"roll-back\"")).hasSize(1);
    assertThat(metrics.get(metrics.size() - 2)).contains("\"learning_rate\":2.0E-4");
  }

  /** Between its roll-back and its next checkpoint only the metrics know of it. */
  @Test
  void runThatEndsSoonAfterItsRollBackGoesOnAsIfItHadNot() throws IOException {
    TrainingConfig config =
        config(
            diverging(
                "training.guard.action=roll-back", "training.guard.learning_rate_factor=1.0e-4"));
    Path whole = folder.resolve("undisturbed");
    Path ended = folder.resolve("ended");
    BooleanSupplier failure =
        () -> {
          if (readMetrics(ended).contains("roll-back")) {
            throw new IllegalStateException("the power fails");
          }
          return false;
        };
    try (ShardFolder data = ShardFolder.open(folder.resolve("shards").toString())) {
      TrainingRun.advance(config, data, whole, true, () -> false);
      assertThatThrownBy(() -> TrainingRun.advance(config, data, ended, true, failure))
          .hasMessage("the power fails");
      TrainingRun.advance(config, data, ended, true, () -> false);
    }
    assertThat(readMetrics(ended)).containsOnlyOnce("roll-back");
    assertThat(ended.resolve("checkpoints/step-00000040/state.json"))
        .hasSameBinaryContentAs(whole.resolve("checkpoints/step-00000040/state.json"));
  }

  private static String readMetrics(Path run) {
    try {
      return Files.readString(new RunFolder(run).metrics());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void runThatDivergesAgainAfterItsRollBackStops() {
    String[] settings =
        diverging("training.guard.action=roll-back", "training.guard.learning_rate_factor=1.0");
    assertThatThrownBy(() -> advance("shards", "twice", settings))
        .isInstanceOf(DivergenceException.class)
        .hasMessageContaining("begin again in another folder");
    assertThat(folder.resolve("twice/metrics.jsonl")).content().containsOnlyOnce("roll-back");
  }
}
