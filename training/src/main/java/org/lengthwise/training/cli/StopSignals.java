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
final class StopSignals implements BooleanSupplier, AutoCloseable {
  private static final Logger LOG = LogManager.getLogger(StopSignals.class);

  /** The exit codes of processes that signals ended: 128 and the signal's number. */
  private static final Map<String, Integer> EXIT_CODES = Map.of("INT", 130, "TERM", 143);

  private final Map<String, Object> handlersBefore = new HashMap<>();
  private final AtomicBoolean requested = new AtomicBoolean();

  /** Listens from now on. */
  StopSignals() {
    EXIT_CODES.forEach(
        (name, code) -> handlersBefore.put(name, Signals.register(name, () -> request(code))));
  }

  private void request(int exitCode) {
    if (!requested.compareAndSet(false, true)) {
      Runtime.getRuntime().halt(exitCode);
    }
    LOG.info("asked to stop: the step ends and a checkpoint is written; ask again to end at once");
  }

  /** Whether a signal came. */
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
