package org.lengthwise.eval.experiment;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Runs side by side, each in a process of its own: the engine knows one gradient at a time in a
 * process. They begin in the order given, as places become free. One that fails leaves the others
 * alone.
 *
 * @param slots the places, each for one run at a time
 * @param command what runs there
 * @param logs the folder of the logs, NAME.log for each run
 */
public record RunQueue(List<Slot> slots, Command command, Path logs) {
  private static final Logger LOG = LogManager.getLogger(RunQueue.class);

  /** Exit codes of processes that a signal ended are larger. */
  private static final int SIGNAL = 128;

  private static final long LOOK_INTERVAL_MILLIS = 200;
  private static final long PROGRESS_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  /** Copies the list. */
  public RunQueue {
    slots = List.copyOf(slots);
  }

  /** What brings a run to its end. The command must stop when its standard input ends. */
  @FunctionalInterface
  public interface Command {
    /**
     * The words of the command.
     *
     * @param run the run's name
     * @param slot where it will run
     * @return program and arguments
     */
    List<String> of(String run, Slot slot);
  }

  /**
   * A run whose process did not end well.
   *
   * @param run its name
   * @param exitCode the process's exit code, not 0
   * @param log what it wrote
   * @param lastWords the last line of that
   */
  public record Failure(String run, int exitCode, Path log, String lastWords) {}

  /**
   * Runs until all have ended, whatever happens. Asked to stop, it asks those that run and begins
   * no other.
   *
   * @param names the runs in their order
   * @param stopRequested asked several times a second
   * @return the runs that failed, in the order of their ends
   * @throws IOException if a process cannot be started
   */
  public List<Failure> complete(List<String> names, BooleanSupplier stopRequested)
      throws IOException {
    Attempt attempt = new Attempt(names);
    try {
      while (attempt.goesOn(stopRequested)) {
        attempt.look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while runs were going on");
    } finally {
      attempt.running.forEach(QueuedRun::askToStop);
      attempt.running.forEach(QueuedRun::awaitEnd);
    }
    return attempt.failures;
  }

  /** One passage through the queue. */
  private final class Attempt {
    private final int total;
    private final Deque<String> waiting;
    private final Deque<Slot> free = new ArrayDeque<>(slots);
    private final Set<QueuedRun> running = new LinkedHashSet<>();
    private final List<Failure> failures = new ArrayList<>();
    private boolean askedToStop;
    private long lastProgressNanos = System.nanoTime();

    Attempt(List<String> names) {
      total = names.size();
      waiting = new ArrayDeque<>(names);
    }

    /** Begins what can begin, or asks all to stop; false when nothing is left to wait for. */
    boolean goesOn(BooleanSupplier stopRequested) throws IOException {
      if (stopRequested.getAsBoolean()) {
        askedToStop = true;
        waiting.clear();
        running.forEach(QueuedRun::askToStop);
      }
      while (!waiting.isEmpty() && !free.isEmpty()) {
        begin(waiting.remove(), free.remove());
      }
      return !running.isEmpty();
    }

    private void begin(String name, Slot slot) throws IOException {
      Path log = logs.resolve(name + ".log");
      running.add(QueuedRun.start(name, slot, command.of(name, slot), log));
      LOG.info(
          "run {} of {}: {} on {}, log {}", total - waiting.size(), total, name, slot.name(), log);
    }

    /** Waits a moment, and sees which runs have ended. */
    void look() throws InterruptedException {
      running.iterator().next().process().waitFor(LOOK_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
      for (QueuedRun run : List.copyOf(running)) {
        if (!run.process().isAlive()) {
          running.remove(run);
          free.add(run.slot());
          judge(run);
        }
      }
      if (System.nanoTime() - lastProgressNanos >= PROGRESS_INTERVAL_NANOS) {
        lastProgressNanos = System.nanoTime();
        for (QueuedRun one : running) {
          LOG.info("{} on {}: {}", one.name(), one.slot().name(), one.latestLine());
        }
      }
    }

    private void judge(QueuedRun run) {
      int code = run.process().exitValue();
      // A process that Ctrl-C met before it listened has done nothing yet.
      if (code == 0 || (askedToStop && code > SIGNAL)) {
        LOG.info("{} on {} has ended, {} waiting", run.name(), run.slot().name(), waiting.size());
        return;
      }
      Failure failure = new Failure(run.name(), code, run.log(), run.latestLine());
      LOG.error("{} failed with exit code {}: {}", run.name(), code, failure.lastWords());
      failures.add(failure);
    }
  }
}
