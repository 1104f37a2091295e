package org.lengthwise.training.cli;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * SIGINT and SIGTERM as a request to stop: the first one is noted for the run to see after its
 * step, a later one ends the process at once. Those that arrive together are one request, for some
 * programs that end others signal them and their process group.
 */
public final class StopSignals implements BooleanSupplier, AutoCloseable {
  private static final Logger LOG = LogManager.getLogger(StopSignals.class);

  /** The exit codes of processes that signals ended: 128 and the signal's number. */
  private static final Map<String, Integer> EXIT_CODES = Map.of("INT", 130, "TERM", 143);

  /** What is taken as one request. */
  private static final long TOGETHER_NANOS = 1_000_000_000L;

  private final Map<String, Object> handlersBefore = new HashMap<>();
  private final AtomicReference<@Nullable Long> signalledAt = new AtomicReference<>();
  private final AtomicBoolean requested = new AtomicBoolean();
  private final LongSupplier nanoTime;
  private final IntConsumer end;

  /** Listens from now on. */
  public StopSignals() {
    this(System::nanoTime, Runtime.getRuntime()::halt);
  }

  /**
   * Listens from now on.
   *
   * @param nanoTime the time
   * @param end ends the process with an exit code
   */
  StopSignals(LongSupplier nanoTime, IntConsumer end) {
    this.nanoTime = nanoTime;
    this.end = end;
    EXIT_CODES.forEach(
        (name, code) -> handlersBefore.put(name, Signals.register(name, () -> signal(code))));
  }

  /** Takes a signal that ends a process with some exit code. */
  void signal(int exitCode) {
    long now = nanoTime.getAsLong();
    Long first = signalledAt.compareAndExchange(null, now);
    if (first == null) {
      request();
    } else if (now - first > TOGETHER_NANOS) {
      end.accept(exitCode);
    }
  }

  /** Asks as the first signal does, however often, and counts as none. */
  public void request() {
    if (requested.compareAndSet(false, true)) {
      LOG.info(
          "asked to stop: the step ends and a checkpoint is written; a later signal ends at once");
    }
  }

  /** Whether anybody asked. */
  @Override
  public boolean getAsBoolean() {
    return requested.get();
  }

  /** Gives the signals back the meaning that they had. */
  @Override
  public void close() {
    handlersBefore.forEach(Signals::unregister);
  }
}
