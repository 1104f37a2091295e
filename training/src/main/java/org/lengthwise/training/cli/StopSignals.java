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
 * SIGINT and SIGTERM as a request to stop. The first signal sets a flag that the run reads after
 * each step. A later signal ends the process immediately. Signals within one second count as one,
 * since some programs signal both a process and its group.
 */
public final class StopSignals implements BooleanSupplier, AutoCloseable {
  /**
   * The exit code of a command that has stopped and can resume, EX_TEMPFAIL of {@code sysexits.h}.
   */
  public static final int STOPPED = 75;

  private static final Logger LOG = LogManager.getLogger(StopSignals.class);

  /** The exit codes after a signal: 128 plus its number. */
  private static final Map<String, Integer> EXIT_CODES = Map.of("INT", 130, "TERM", 143);

  /** Signals within this time are one request. */
  private static final long TOGETHER_NANOS = 1_000_000_000L;

  private final Map<String, Object> handlersBefore = new HashMap<>();
  private final AtomicReference<@Nullable Long> signalledAt = new AtomicReference<>();
  private final AtomicBoolean requested = new AtomicBoolean();
  private final LongSupplier nanoTime;
  private final IntConsumer end;

  public StopSignals() {
    this(System::nanoTime, Runtime.getRuntime()::halt);
  }

  StopSignals(LongSupplier nanoTime, IntConsumer end) {
    this.nanoTime = nanoTime;
    this.end = end;
    EXIT_CODES.forEach(
        (name, code) -> handlersBefore.put(name, Signals.register(name, () -> signal(code))));
  }

  void signal(int exitCode) {
    long now = nanoTime.getAsLong();
    Long first = signalledAt.compareAndExchange(null, now);
    if (first == null) {
      request();
    } else if (now - first > TOGETHER_NANOS) {
      end.accept(exitCode);
    }
  }

  /** Requests a stop without a signal. A later signal still counts as the first one. */
  public void request() {
    if (requested.compareAndSet(false, true)) {
      LOG.info(
          "stopping after this step and its checkpoint; another signal ends the process immediately");
    }
  }

  @Override
  public boolean getAsBoolean() {
    return requested.get();
  }

  @Override
  public void close() {
    handlersBefore.forEach(Signals::unregister);
  }
}
