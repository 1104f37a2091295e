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
import java.util.stream.Stream;
import org.lengthwise.progress.Threads;

/**
 * A thread for each replica, which keeps it, because libtorch has handles and plans of CUDA for
 * each thread. A single replica runs on the caller's thread.
 *
 * <p>Gradients are off on these threads, as on the engine's first thread.
 */
final class ReplicaThreads implements AutoCloseable {
  private final List<ExecutorService> threads;

  ReplicaThreads(int count) {
    this.threads =
        Stream.generate(() -> Executors.newSingleThreadExecutor(ReplicaThreads::thread))
            .limit(count)
            .toList();
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
   * Runs a computation for all replicas in parallel. All of them end before a failure or an
   * interruption is thrown. Further failures are added to the first one as suppressed.
   */
  <T> List<T> onEach(IntFunction<T> work) {
    if (threads.size() == 1) {
      return List.of(work.apply(0));
    }
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < threads.size(); i++) {
      int replica = i;
      running.add(threads.get(i).submit(() -> work.apply(replica)));
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
      failures.add(0, new CancellationException("interrupted while replicas were running"));
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

  @Override
  public void close() {
    threads.forEach(ExecutorService::shutdownNow);
    threads.forEach(Threads::awaitEnd);
  }
}
