package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.Bos;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.StartConfig;
import org.lengthwise.training.config.TrainingConfig;

/** Runs whose windows carry states end as other runs do. */
class CarriedTrainingIT {
  private static final int STEPS = 20; // the streams go round three times

  @TempDir private Path folder;

  static Stream<PositionalScheme> schemes() {
    Linear gated = new Linear(Linear.Member.GATED_DELTANET, false);
    return Stream.of(
        new Layers(List.of(gated, new NoPosition())), new Linear(Linear.Member.LRU, false));
  }

  private static RunDescription run(PositionalScheme scheme, String device, Precision precision) {
    LoopConfig loop = Loops.carried(SmallRun.loop(STEPS, 2, precision));
    return SmallRun.describe(scheme, Loops.on(loop, device, 2, precision), 1e-3);
  }

  private Path train(
      RunDescription run, String name, @Nullable Checkpoint from, BooleanSupplier stop)
      throws IOException {
    RunFolder target = new RunFolder(Files.createDirectories(folder.resolve(name)));
    try (Trainer trainer = new Trainer(run, SmallRun.task(run), target, from)) {
      return trainer.train(stop).checkpoint();
    }
  }

  private Path stopped(RunDescription run, String name) throws IOException {
    int[] step = {0};
    return train(run, name, null, () -> ++step[0] == 9);
  }

  private static void requireSameBits(Path found, Path expected) {
    for (String file :
        List.of("model.safetensors", "optimizer.safetensors", "states.safetensors", "state.json")) {
      assertThat(found.resolve(file)).hasSameBinaryContentAs(expected.resolve(file));
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void aResumedRunEndsWithTheSameBits(PositionalScheme scheme) throws IOException {
    RunDescription run = run(scheme, "cpu", Precision.FLOAT32);
    Path whole = train(run, "whole", null, () -> false);
    Path half = stopped(run, "half");
    requireSameBits(train(run, "half", Checkpoint.open(half), () -> false), whole);
    RunDescription narrow = run(scheme, "cpu", Precision.BFLOAT16);
    Path narrowWhole = train(narrow, "narrow-whole", null, () -> false);
    Path narrowHalf = stopped(narrow, "narrow-half");
    requireSameBits(
        train(narrow, "narrow-half", Checkpoint.open(narrowHalf), () -> false), narrowWhole);
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void replicasShareTheStreams(PositionalScheme scheme) throws IOException {
    RunDescription one = run(scheme, "cpu", Precision.FLOAT32);
    RunDescription two = run(scheme, "cpu:2", Precision.FLOAT32);
    Path whole = train(two, "whole", null, () -> false);
    Path half = stopped(two, "half");
    requireSameBits(train(two, "half", Checkpoint.open(half), () -> false), whole);
    requireClose(Checkpoint.open(whole), Checkpoint.open(train(one, "one", null, () -> false)));
    Path other = stopped(two, "other");
    requireClose(
        Checkpoint.open(train(one, "other", Checkpoint.open(other), () -> false)),
        Checkpoint.open(whole));
  }

  private static void requireClose(Checkpoint found, Checkpoint expected) throws IOException {
    Map<String, float[]> states = found.states();
    assertThat(states).isNotEmpty();
    for (Map.Entry<String, float[]> state : expected.states().entrySet()) {
      assertThat(Objects.requireNonNull(states.get(state.getKey())))
          .containsExactly(state.getValue(), within(1e-3f));
    }
  }

  @Test
  void onlyTextsAndSchemesWithStatesCarryThem() {
    assertThatThrownBy(() -> run(new Alibi(), "cpu", Precision.FLOAT32))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("training.states")
        .hasMessageContaining("zero, because position alibi has no states");
  }

  @Test
  void windowsThatBeginWithBosCarryNoStates() {
    TrainingConfig config =
        run(new Linear(Linear.Member.LRU, false), "cpu", Precision.FLOAT32).config();
    StartConfig start =
        new StartConfig(
            "model",
            StartConfig.Choice.NEWEST,
            StartConfig.Moments.RESET,
            PositionScaling.NONE,
            Bos.AUTO,
            16,
            0,
            new StartConfig.Source("model", 0, 32, 0, 0, 0, 1, "0".repeat(64)));
    assertThatThrownBy(() -> config.startingAt(start))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("training.states")
        .hasMessageContaining("start.bos: none");
  }
}
