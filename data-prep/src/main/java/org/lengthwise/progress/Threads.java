package org.lengthwise.progress;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Waits for the end of threads, before the resources that they use are closed. */
public final class Threads {
  private Threads() {}

  /**
   * Waits until all threads of a pool have ended. An interruption does not end the wait; the thread
   * is marked as interrupted afterwards.
   */
  public static void awaitEnd(ExecutorService threads) {
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = threads.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
