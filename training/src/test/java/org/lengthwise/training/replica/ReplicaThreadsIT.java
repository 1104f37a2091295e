package org.lengthwise.training.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReplicaThreadsIT {
  private final AtomicInteger ended = new AtomicInteger();

  /** Waits a tenth of a second. */
  private int work(int replica) {
    try {
      assertThat(new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS)).isFalse();
    } catch (InterruptedException e) {
      throw new IllegalStateException("only the caller is interrupted", e);
    }
    ended.incrementAndGet();
    return replica;
  }

  @Test
  void allEndBeforeAFailureIsThrownAndFurtherOnesAreSuppressed() {
    IllegalStateException first = new IllegalStateException("replica 0 fails");
    IllegalStateException second = new IllegalStateException("replica 2 fails");
    try (ReplicaThreads threads = new ReplicaThreads(3)) {
      assertThatThrownBy(
              () ->
                  threads.onEach(
                      replica -> {
                        if (replica == 0) {
                          throw first;
                        }
                        work(replica);
                        if (replica == 2) {
                          throw second;
                        }
                        return replica;
                      }))
          .isSameAs(first)
          .hasSuppressedException(second);
      assertThat(ended).hasValue(2);
    }
  }

  @Test
  void allEndBeforeAnInterruptionIsThrown() {
    try (ReplicaThreads threads = new ReplicaThreads(3)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> threads.onEach(this::work))
          .isInstanceOf(CancellationException.class);
      assertThat(ended).hasValue(3);
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
