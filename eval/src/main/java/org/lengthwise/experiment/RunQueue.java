package org.lengthwise.experiment;

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
import org.lengthwise.error.Count;
import org.lengthwise.training.cli.StopSignals;

/**
 * Several runs at the same time, each in its own process, because the engine computes one gradient
 * at a time in a process. Runs start in the given order as slots become free. A run that fails does
 * not stop the others.
 *
 * @param slots the slots, each for one run at a time
 * @param command the command of a run
 * @param logs the folder of the logs, with a file NAME.log for each run
 * @param observer is called several times a second for each active run, and after its end
 */
public record RunQueue(List<Slot> slots, Command command, Path logs, Observer observer) {
  private static final Logger LOG = LogManager.getLogger(RunQueue.class);

  /** A process that a signal ended has a larger exit code. */
  private static final int SIGNAL = 128;

  private static final long POLL_INTERVAL_MILLIS = 200;
  private static final long PROGRESS_INTERVAL_NANOS = Duration.ofSeconds(30).toNanos();

  /** Copies the slots. */
  public RunQueue {
    slots = List.copyOf(slots);
  }

  /** Trains and measures a run. The command must stop when its standard input ends. */
  @FunctionalInterface
  public interface Command {
    /**
     * {@return the command line: program and arguments}
     *
     * @param slot the slot of the run
     */
    List<String> of(String run, Slot slot);
  }

  /** Sees what runs write. */
  @FunctionalInterface
  public interface Observer {
    /**
     * Looks at a run.
     *
     * @throws IOException if a file of the run cannot be read
     */
    void see(String run) throws IOException;
  }

  /**
   * A failed run.
   *
   * @param exitCode the exit code of its process, not 0
   * @param log its log
   * @param lastLine the last line of the log
   */
  public record Failure(String run, int exitCode, Path log, String lastLine) {}

  /**
   * Completes runs. After a stop request, no run starts, and the active runs are asked to stop. On
   * return all processes have ended.
   *
   * @param names the runs, in the order in which they start
   * @param stopRequested read several times a second: whether to stop
   * @return the failed runs, in the order in which they ended
   * @throws IOException if a process cannot be started
   */
  public List<Failure> complete(List<String> names, BooleanSupplier stopRequested)
      throws IOException {
    Attempt attempt = new Attempt(names);
    try {
      while (attempt.advance(stopRequested)) {
        attempt.poll();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while runs were active");
    } finally {
      attempt.running.forEach(QueuedRun::askToStop);
      attempt.running.forEach(QueuedRun::awaitEnd);
    }
    return attempt.failures;
  }

  /** One pass through the queue. */
  private final class Attempt {
    private final int total;
    private final Deque<String> waiting;
    private final Deque<Slot> free = new ArrayDeque<>(slots);
    private final Set<QueuedRun> running = new LinkedHashSet<>();
    private final List<Failure> failures = new ArrayList<>();
    private boolean stopping;
    private final long startNanos = System.nanoTime();
    private long lastProgressNanos = startNanos;

    Attempt(List<String> names) {
      total = names.size();
      waiting = new ArrayDeque<>(names);
    }

    /** Starts runs in free slots, or passes a stop request on; false if no run is active. */
    boolean advance(BooleanSupplier stopRequested) throws IOException {
      if (stopRequested.getAsBoolean()) {
        stopping = true;
        waiting.clear();
        running.forEach(QueuedRun::askToStop);
      }
      while (!waiting.isEmpty() && !free.isEmpty()) {
        start(waiting.remove(), free.remove());
      }
      return !running.isEmpty();
    }

    private void start(String name, Slot slot) throws IOException {
      Path log = logs.resolve(name + ".log");
      running.add(QueuedRun.start(name, slot, command.of(name, slot), log));
      LOG.info(
          "run {} of {}: {} on {}, log {}", total - waiting.size(), total, name, slot.name(), log);
    }

    /** Waits briefly, then handles the runs that have ended. */
    void poll() throws InterruptedException, IOException {
      running.iterator().next().process().waitFor(POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
      for (QueuedRun run : List.copyOf(running)) {
        boolean isAlive = run.process().isAlive();
        observer.see(run.name());
        if (!isAlive) {
          running.remove(run);
          free.add(run.slot());
          end(run);
        }
      }
      if (System.nanoTime() - lastProgressNanos >= PROGRESS_INTERVAL_NANOS) {
        lastProgressNanos = System.nanoTime();
        for (QueuedRun one : running) {
          LOG.info("{} on {}: {}", one.name(), one.slot().name(), one.latestLine());
        }
      }
    }

    /** The runs that have not ended. All runs are assumed to take the same time. */
    private String stillToDo() {
      int ended = total - waiting.size() - running.size();
      double left = waiting.size() + running.size() / 2.0;
      Duration passed = Duration.ofNanos(System.nanoTime() - startNanos);
      Duration rest = Duration.ofSeconds(Math.round(passed.toSeconds() * left / (total - left)));
      return "%s of %s runs, about %s left".formatted(ended, total, Count.clock(rest));
    }

    private void end(QueuedRun run) {
      int code = run.process().exitValue();
      // Ctrl-C can end a process before it has a signal handler. Then the process has no work to
      // lose.
      boolean stopped = code == StopSignals.STOPPED || (stopping && code > SIGNAL);
      if (code == 0 || stopped) {
        LOG.info("{} has {}", run.name(), stopped ? "stopped" : "ended: " + stillToDo());
        return;
      }
      Failure failure = new Failure(run.name(), code, run.log(), run.latestLine());
      LOG.error("{} failed with exit code {}: {}", run.name(), code, failure.lastLine());
      failures.add(failure);
    }
  }
}
