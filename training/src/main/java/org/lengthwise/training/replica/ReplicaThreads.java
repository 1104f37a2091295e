package org.lengthwise.training.replica;

import ai.djl.pytorch.jni.JniUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.lengthwise.dataprep.thread.Threads;

/**
 * A thread for each replica; a single one is the caller's own.
 *
 * <p>Nothing records gradients on them unless it asks for it, as on the engine's first thread.
 */
final class ReplicaThreads implements AutoCloseable {
  private final int count;
  private final ExecutorService pool;

  ReplicaThreads(int count) {
    this.count = count;
    this.pool = Executors.newFixedThreadPool(count, ReplicaThreads::thread);
  }

  private static Thread thread(Runnable tasks) {
    return new Thread(
        () -> {
          JniUtils.setGradMode(false);
          tasks.run();
        },
        "replica");
  }

  /**
   * Does work for all replicas at once; all of them end before any failure, or an interruption, is
   * told. Further failures are suppressed by the first.
   *
   * @param work what to do for a replica, by its number from 0
   * @return the results, in the order of the replicas
   */
  <T> List<T> onEach(IntFunction<T> work) {
    if (count == 1) {
      return List.of(work.apply(0));
    }
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int replica = i;
      running.add(pool.submit(() -> work.apply(replica)));
    }
    List<T> results = new ArrayList<>();
    List<RuntimeException> failures = new ArrayList<>();
    boolean interrupted = false;
    for (Future<T> future : running) {
      boolean ended = false;
      while (!ended) {
        try {
          results.add(future.get());
          ended = true;
        } catch (ExecutionException e) {
          failures.add(failure(e));
          ended = true;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
      failures.add(0, new CancellationException("interrupted while replicas were at work"));
    }
    requireNone(failures);
    return results;
  }

  private static RuntimeException failure(ExecutionException e) {
    return e.getCause() instanceof RuntimeException cause
        ? cause
        : new IllegalStateException("a replica failed", e.getCause());
  }

  private static void requireNone(List<RuntimeException> failures) {
    if (!failures.isEmpty()) {
      RuntimeException first = failures.get(0);
      failures.subList(1, failures.size()).forEach(first::addSuppressed);
      throw first;
    }
  }

  /** Ends the threads; what they work on may be closed afterwards. */
  @Override
  public void close() {
    pool.shutdownNow();
    Threads.awaitEnd(pool);
  }
}
