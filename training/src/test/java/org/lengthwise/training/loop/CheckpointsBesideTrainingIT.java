package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.attention.AttentionKernel;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.LoopConfig;

@Timeout(120)
class CheckpointsBesideTrainingIT {
  private static final RunDescription RUN =
      SmallRun.describe(new Alibi(), SmallRun.loop(30, 4, Precision.FLOAT32), 1e-2);

  private final Thread stepping = Thread.currentThread();
  private final List<Long> published = new CopyOnWriteArrayList<>();
  private final RunFolder slow;
  private final RunFolder undisturbed;

  CheckpointsBesideTrainingIT(@TempDir Path folder) {
    slow = new RunFolder(folder.resolve("slow"));
    undisturbed = new RunFolder(folder.resolve("undisturbed"));
  }

  @BeforeEach
  void createFolders() throws IOException {
    Files.createDirectories(slow.path());
    Files.createDirectories(undisturbed.path());
  }

  /** Runs before a checkpoint is written; may wait or fail. */
  @FunctionalInterface
  private interface Hindrance {
    void pass(long step) throws IOException;
  }

  private RunOutput.Publication after(Hindrance hindrance, RunDescription run) {
    RunOutput.Publication publication = RunOutput.Publication.into(slow, run, Optional.empty());
    return (state, tensors) -> {
      hindrance.pass(state.step());
      publication.publish(state, tensors);
      published.add(state.step());
    };
  }

  private Trainer.Result train(Hindrance hindrance, RunDescription run, BooleanSupplier stop)
      throws IOException {
    RunOutput.Publication publication = after(hindrance, run);
    try (Trainer trainer = new Trainer(run, SmallRun.task(run), slow, null, publication)) {
      return trainer.train(stop);
    }
  }

  private void assertSameAsUndisturbed(long... steps) throws IOException {
    try (Trainer trainer = new Trainer(RUN, SmallRun.task(RUN), undisturbed, null)) {
      assertThat(trainer.train(() -> false).isFinished()).isTrue();
    }
    for (long step : steps) {
      for (String file : List.of("model.safetensors", "optimizer.safetensors", "state.json")) {
        assertThat(slow.checkpoint(step).resolve(file))
            .hasSameBinaryContentAs(undisturbed.checkpoint(step).resolve(file));
      }
    }
  }

  /** Waits until the training thread waits. */
  private void awaitStandstill() {
    while (stepping.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  @Test
  void stepsContinueDuringAWriteAndEachCheckpointHoldsItsStep() throws IOException {
    CountDownLatch seventeen = new CountDownLatch(1);
    int[] steps = {0};
    BooleanSupplier observer =
        () -> {
          if (++steps[0] == 17) {
            assertThat(published).isEmpty();
            seventeen.countDown();
          }
          return false;
        };
    train(step -> await(seventeen), RUN, observer);
    assertThat(published).containsExactly(10L, 20L, 30L);
    assertSameAsUndisturbed(10, 20, 30);
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** If step 20 were copied too early, the checkpoint of step 10 would hold its numbers. */
  @Test
  void nextCheckpointWaitsForThePreviousWrite() throws IOException {
    CountDownLatch twenty = new CountDownLatch(1);
    int[] steps = {0};
    BooleanSupplier observer =
        () -> {
          if (++steps[0] == 20) {
            twenty.countDown();
          }
          return false;
        };
    train(
        step -> {
          await(twenty);
          awaitStandstill();
        },
        RUN,
        observer);
    assertThat(published).containsExactly(10L, 20L, 30L);
    assertSameAsUndisturbed(10, 20, 30);
  }

  @Test
  void stoppedRunEndsAfterItsCheckpointIsWritten() throws IOException {
    Trainer.Result outcome = train(step -> awaitStandstill(), RUN, () -> true);
    assertThat(published).containsExactly(1L);
    assertThat(outcome).isEqualTo(new Trainer.Result(slow.checkpoint(1), 1, false));
    assertThat(slow.newest()).contains(outcome.checkpoint());
  }

  @Test
  void divergenceNamesTheCheckpointThatWasBeingWritten() {
    assertThatThrownBy(() -> train(step -> awaitStandstill(), diverging(), () -> false))
        .isInstanceOfSatisfying(
            DivergenceException.class,
            e ->
                assertThat(e)
                    .hasMessageContaining(
                        "the last good checkpoint is " + slow.checkpoint(e.step() - 1)));
  }

  /** A checkpoint after each step, and a learning rate at which the loss soon rises. */
  private static RunDescription diverging() {
    LoopConfig loop =
        new LoopConfig(
            16,
            4,
            4,
            100,
            Precision.FLOAT32,
            Precision.FLOAT32,
            AttentionKernel.FLASH,
            LoopConfig.Documents.CROSS,
            LoopConfig.States.ZERO,
            "cpu",
            0,
            1,
            false,
            new LoopConfig.Validation(100, 1),
            false,
            new LoopConfig.Checkpoints(1, 4),
            new LoopConfig.Guard(2, 1.1, LoopConfig.Guard.Action.STOP, 0.5));
    return SmallRun.describe(new Alibi(), loop, 10);
  }

  @Test
  void failedCheckpointEndsTheRunAndOlderOnesAreKept() throws IOException {
    RunDescription run =
        SmallRun.describe(new Alibi(), SmallRun.loop(2000, 4, Precision.FLOAT32), 1e-2);
    IOException full = new IOException("no space left on device");
    int[] steps = {0};
    assertThatThrownBy(
            () ->
                train(
                    step -> {
                      if (step == 20) {
                        throw full;
                      }
                    },
                    run,
                    () -> ++steps[0] == 2000))
        .isSameAs(full);
    assertThat(steps[0]).isLessThanOrEqualTo(30);
    assertThat(slow.checkpoints()).containsExactly(slow.checkpoint(10));
  }
}
