package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CheckpointWriterTest {
  private final CheckpointWriter writer = new CheckpointWriter();
  private final List<String> events = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() throws IOException {
    writer.close();
  }

  private static void awaitUninterrupted(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void callerContinuesWhileAnotherThreadWrites() throws IOException {
    CountDownLatch release = new CountDownLatch(1);
    writer.begin(
        () -> {
          awaitUninterrupted(release);
          events.add(Thread.currentThread().getName());
        });
    writer.requireNoFailure();
    assertThat(events).isEmpty();
    release.countDown();
    writer.await();
    assertThat(events).containsExactly("checkpoints");
  }

  @Test
  void nextWriteBeginsAfterThePreviousOne() throws IOException {
    writer.begin(() -> events.add("first"));
    writer.begin(() -> events.add("second"));
    writer.await();
    assertThat(events).containsExactly("first", "second");
  }

  @Test
  void failureIsThrownOnceAndUnchanged() throws IOException {
    IOException full = new IOException("no space left on device");
    writer.begin(
        () -> {
          throw full;
        });
    assertThatThrownBy(
            () -> {
              while (true) {
                writer.requireNoFailure();
                Thread.onSpinWait();
              }
            })
        .isSameAs(full);
    assertThatCode(writer::await).doesNotThrowAnyException();
  }

  @Test
  void closingWaitsForTheWriteAndThrowsItsFailure() throws IOException {
    CheckpointWriter closed = new CheckpointWriter();
    closed.begin(
        () -> {
          events.add("written");
          throw new IOException("no space left on device");
        });
    assertThatThrownBy(closed::close)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no space left");
    assertThat(events).containsExactly("written");
  }
}
