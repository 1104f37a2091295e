package org.lengthwise.training.cli;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jline.utils.Signals;

/**
 * SIGINT and SIGTERM as a request to stop: the first one is noted for the run to see after its
 * step, a second one ends the process at once.
 */
public final class StopSignals implements BooleanSupplier, AutoCloseable {
  private static final Logger LOG = LogManager.getLogger(StopSignals.class);

  /** The exit codes of processes that signals ended: 128 and the signal's number. */
  private static final Map<String, Integer> EXIT_CODES = Map.of("INT", 130, "TERM", 143);

  private final Map<String, Object> handlersBefore = new HashMap<>();
  private final AtomicBoolean signalled = new AtomicBoolean();
  private final AtomicBoolean requested = new AtomicBoolean();

  /** Listens from now on. */
  public StopSignals() {
    EXIT_CODES.forEach(
        (name, code) -> handlersBefore.put(name, Signals.register(name, () -> signal(code))));
  }

  private void signal(int exitCode) {
    if (!signalled.compareAndSet(false, true)) {
      Runtime.getRuntime().halt(exitCode);
    }
    request();
  }

  /** Asks as the first signal does, however often, and counts as none. */
  public void request() {
    if (requested.compareAndSet(false, true)) {
      LOG.info(
          "asked to stop: the step ends and a checkpoint is written; a second signal ends at once");
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
