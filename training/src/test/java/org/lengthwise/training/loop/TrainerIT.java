package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.lengthwise.training.loop.SmallRun.describe;
import static org.lengthwise.training.loop.SmallRun.loop;

import ai.djl.Device;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Schemes;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.task.Task;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.checkpoint.GuardState;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.Snapshot;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.optimizer.AdamW;
import org.lengthwise.training.replica.Replica;
import org.lengthwise.training.tensorboard.EventReader;

class TrainerIT {
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  @TempDir private Path folder;

  static List<PositionalScheme> schemes() {
    return Schemes.trainable();
  }

  private Path train(RunDescription run, String name) throws IOException {
    RunFolder target = new RunFolder(Files.createDirectories(folder.resolve(name)));
    try (Trainer trainer = new Trainer(run, SmallRun.task(run), target, null)) {
      return trainer.train(() -> false).checkpoint();
    }
  }

  private static List<Metrics> metrics(Path run) throws IOException {
    List<Metrics> metrics = new ArrayList<>();
    for (String line : Files.readAllLines(new RunFolder(run).metrics())) {
      metrics.add(MAPPER.readValue(line, Metrics.class));
    }
    return metrics;
  }

  private static double lastValidation(Path run) throws IOException {
    return metrics(run).stream()
        .filter(Metrics.Validation.class::isInstance)
        .map(Metrics.Validation.class::cast)
        .reduce((first, second) -> second)
        .orElseThrow()
        .loss();
  }

  private Metrics.Training firstStep(String run) throws IOException {
    return metrics(folder.resolve(run)).stream()
        .filter(Metrics.Training.class::isInstance)
        .map(Metrics.Training.class::cast)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void everySchemeLearnsASmallGrammar(PositionalScheme scheme) throws IOException {
    train(describe(scheme, loop(60, 4, Precision.FLOAT32), 1e-2), "run");
    List<Metrics> lines = metrics(folder.resolve("run"));
    assertThat(lines.get(0)).isInstanceOf(Metrics.Validation.class);
    double before = ((Metrics.Validation) lines.get(0)).loss();
    assertThat(((Metrics.Validation) lines.get(0)).forwardSeconds()).isPositive();
    double uniform = Math.log(SmallRun.VOCABULARY);
    // Larger token embeddings make the tied head predict the token that the model has just read.
    double most = scheme instanceof Sinusoidal ? uniform + 3 : uniform + 0.5;
    assertThat(before).isBetween(uniform - 0.5, most);
    assertThat(lastValidation(folder.resolve("run"))).isLessThan(Math.min(before, uniform) - 0.7);
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void resumedRunEndsWithTheSameBits(PositionalScheme scheme) throws IOException {
    RunDescription run = describe(scheme, loop(40, 4, Precision.FLOAT32), 1e-2);
    Path whole = train(run, "whole"); // 40 steps of 4 windows: more than six epochs of 24
    RunFolder interrupted = new RunFolder(folder.resolve("interrupted"));
    Files.createDirectories(interrupted.path());
    // The files of a run killed between steps 20 and 30: checkpoints, and metrics of later steps.
    for (long step : new long[] {10, 20}) {
      copy(new RunFolder(folder.resolve("whole")).checkpoint(step), interrupted.checkpoint(step));
    }
    String lines = Files.readString(new RunFolder(folder.resolve("whole")).metrics());
    Files.writeString(interrupted.metrics(), lines.substring(0, lines.length() * 3 / 4));
    byte[] events = Files.readAllBytes(new RunFolder(folder.resolve("whole")).events().get(0));
    Files.write(interrupted.nextEvents(), Arrays.copyOf(events, events.length * 3 / 4));
    Path resumed;
    try (Trainer trainer =
        new Trainer(
            run,
            SmallRun.task(run),
            interrupted,
            Checkpoint.open(interrupted.newest().orElseThrow()))) {
      resumed = trainer.train(() -> false).checkpoint();
    }
    for (String file : List.of("model.safetensors", "optimizer.safetensors", "state.json")) {
      assertThat(resumed.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
    }
    assertThat(withoutRates(metrics(interrupted.path())))
        .isEqualTo(withoutRates(metrics(folder.resolve("whole"))));
    assertThat(losses(interrupted))
        .isEqualTo(losses(new RunFolder(folder.resolve("whole"))))
        .hasSize(40 + 5);
  }

  private static List<String> losses(RunFolder run) throws IOException {
    return EventReader.scalars(run.events()).stream()
        .filter(scalar -> scalar.contains("/loss "))
        .toList();
  }

  @Test
  void stoppedRunWritesACheckpointAndResumesToTheSameBits() throws IOException {
    RunDescription run = describe(new KerpleLog(), loop(20, 4, Precision.FLOAT32), 1e-2);
    Path whole = train(run, "whole");
    RunFolder target = new RunFolder(Files.createDirectories(folder.resolve("stopped")));
    Task task = SmallRun.task(run);
    try (Trainer trainer = new Trainer(run, task, target, null)) {
      Iterator<Boolean> answers = List.of(false, false, true).iterator();
      Trainer.Result outcome = trainer.train(answers::next);
      assertThat(outcome).isEqualTo(new Trainer.Result(target.checkpoint(3), 3, false));
    }
    Checkpoint stopped = Checkpoint.open(target.newest().orElseThrow());
    try (Trainer trainer = new Trainer(run, task, target, stopped)) {
      Path resumed = trainer.train(() -> false).checkpoint();
      for (String file : List.of("model.safetensors", "optimizer.safetensors", "state.json")) {
        assertThat(resumed.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
      }
    }
  }

  @Test
  void bestCheckpointIsKeptWhenNewerOnesAreWorse() throws IOException {
    RunDescription run = describe(new NoPosition(), loop(50, 4, Precision.FLOAT32), 1e-2);
    RunFolder target = new RunFolder(folder);
    try (Replica replica =
            new Replica(run, null, Device.cpu(), run.config().training().numerics());
        Snapshot tensors = new Snapshot(replica.weights(), replica.optimizer())) {
      tensors.take();
      double[] losses = {3, 1, 2, 2.5, 2.2};
      for (int i = 0; i < losses.length; i++) {
        TrainState state =
            new TrainState(i + 1, 0, 0, 5, GuardState.initial(), losses[i], Map.of());
        CheckpointFolder.write(target.checkpoint(i + 1), run, state, tensors, Optional.empty());
        target.prune(2);
      }
    }
    assertThat(target.checkpoints())
        .containsExactly(target.checkpoint(2), target.checkpoint(4), target.checkpoint(5));
  }

  private static List<Metrics> withoutRates(List<Metrics> lines) {
    return lines.stream().map(TrainerIT::withoutRates).toList();
  }

  private static Metrics withoutRates(Metrics line) {
    if (line instanceof Metrics.Validation v) {
      return new Metrics.Validation(v.step(), v.tokens(), v.metric(), v.loss(), v.count());
    }
    return line instanceof Metrics.Training t
        ? new Metrics.Training(
            t.step(),
            t.tokens(),
            t.loss(),
            t.learningRate(),
            t.gradientNorm(),
            0,
            null,
            0,
            0,
            0,
            0,
            t.biasRange())
        : line;
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void accumulatedMicroBatchesEqualOneBatch() throws IOException {
    Alibi scheme = new Alibi();
    train(describe(scheme, loop(20, 4, Precision.FLOAT32), 1e-3), "one");
    train(describe(scheme, loop(20, 1, Precision.FLOAT32), 1e-3), "four");
    assertThat(firstStep("four").gradientNorm())
        .isCloseTo(firstStep("one").gradientNorm(), within(1e-4));
    assertThat(firstStep("four").loss()).isCloseTo(firstStep("one").loss(), within(1e-5));
    assertThat(lastValidation(folder.resolve("four")))
        .isCloseTo(lastValidation(folder.resolve("one")), within(1e-4));
  }

  @Test
  void bfloat16StaysCloseToFloat32() throws IOException {
    RegularGpt scheme = new RegularGpt(3);
    train(describe(scheme, loop(30, 4, Precision.FLOAT32), 3e-3), "float32");
    train(describe(scheme, loop(30, 4, Precision.BFLOAT16), 3e-3), "bfloat16");
    double expected = lastValidation(folder.resolve("float32"));
    assertThat(lastValidation(folder.resolve("bfloat16")))
        .isCloseTo(expected, withinPercentage(2.0))
        .isNotEqualTo(expected);
  }

  @Test
  void aRunWithAStreamInBfloat16ResumesWithTheSameBitsAndOnTwoReplicas() throws IOException {
    LoopConfig loop = Loops.inBfloat16(loop(20, 2, Precision.FLOAT32));
    RunDescription run = describe(new Alibi(), loop, 1e-2);
    Path whole = train(run, "whole");
    RunFolder interrupted = new RunFolder(folder.resolve("interrupted"));
    Files.createDirectories(interrupted.path());
    copy(new RunFolder(folder.resolve("whole")).checkpoint(10), interrupted.checkpoint(10));
    Files.copy(new RunFolder(folder.resolve("whole")).metrics(), interrupted.metrics());
    Checkpoint from = Checkpoint.open(interrupted.checkpoint(10));
    try (Trainer trainer = new Trainer(run, SmallRun.task(run), interrupted, from)) {
      assertThat(trainer.train(() -> false).checkpoint().resolve("model.safetensors"))
          .hasSameBinaryContentAs(whole.resolve("model.safetensors"));
    }
    LoopConfig two =
        Loops.inBfloat16(Loops.on(loop(20, 2, Precision.FLOAT32), "cpu:2", 2, Precision.BFLOAT16));
    train(describe(new Alibi(), two, 1e-2), "two");
    assertThat(lastValidation(folder.resolve("two")))
        .isCloseTo(lastValidation(folder.resolve("whole")), withinPercentage(1.0));
  }

  @Test
  void oldCheckpointsAreRemovedAndTheLastIsKept() throws IOException {
    Path last = train(describe(new NoPosition(), loop(45, 4, Precision.FLOAT32), 1e-3), "run");
    List<Path> kept = new RunFolder(folder.resolve("run")).checkpoints();
    assertThat(kept)
        .extracting(path -> path.getFileName().toString())
        .containsExactly("step-00000020", "step-00000030", "step-00000040", "step-00000045");
    assertThat(kept.get(3)).isEqualTo(last);
    try (Weights weights = Checkpoint.open(last).weights(Device.cpu())) {
      assertThat(weights.get("transformer.wte.weight").getShape().getShape())
          .containsExactly(SmallRun.VOCABULARY, 32);
    }
  }

  @Test
  void lossThatIsNotFiniteStopsTheRunAndNamesTheLastCheckpoint() throws IOException {
    RunDescription run = describe(new Alibi(), loop(60, 4, Precision.FLOAT32), 1e-3);
    RunFolder target = new RunFolder(folder);
    TrainState state = new TrainState(10, 40, 640, 5, GuardState.initial(), null, Map.of());
    try (Weights weights = Weights.initialise(run.model(), new RandomStreams(5), Device.cpu());
        AdamW optimizer = new AdamW(run.config().optimizer(), weights);
        Snapshot tensors = new Snapshot(weights, optimizer)) {
      weights.get("transformer.ln_f.weight").muli(Float.NaN);
      tensors.take();
      CheckpointFolder.write(target.checkpoint(10), run, state, tensors, Optional.empty());
    }
    Checkpoint poisoned = Checkpoint.open(target.checkpoint(10));
    try (Trainer trainer = new Trainer(run, SmallRun.task(run), target, poisoned)) {
      assertThatThrownBy(() -> trainer.train(() -> false))
          .isInstanceOf(DivergenceException.class)
          .hasMessageContaining("step 11: the loss is NaN")
          .hasMessageContaining(target.checkpoint(10).toString());
    }
  }
}
