package org.lengthwise.dataprep.thread;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** The end of threads whose work uses what is closed after them. */
public final class Threads {
  private Threads() {}

  /**
   * Waits until threads that were told to end have ended. An interruption does not cut this short;
   * it is noted again at the end.
   *
   * @param threads threads that were shut down
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
