package org.lengthwise.progress;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.error.Count;

/** Progress as log lines, for output that is not a terminal. */
final class LogProgress implements Progress {
  private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

  private final TrackedWork work;
  private final LongSupplier nanoClock;
  private final Consumer<String> lines;
  private final long startNanos;
  private long lastLineNanos;
  private long done;
  private String note = "";
  private boolean closed;

  LogProgress(TrackedWork work, LongSupplier nanoClock, Consumer<String> lines) {
    this.work = work;
    this.nanoClock = nanoClock;
    this.lines = lines;
    startNanos = nanoClock.getAsLong();
    lastLineNanos = startNanos;
    lines.accept(work.name() + ": started");
  }

  @Override
  public synchronized void advanceTo(long done) {
    this.done = done;
    long now = nanoClock.getAsLong();
    if (now - lastLineNanos >= INTERVAL_NANOS) {
      lastLineNanos = now;
      Duration elapsed = Duration.ofNanos(now - startNanos);
      write(work.amount(done), work.rate(done, elapsed), work.timeLeft(done, elapsed), note);
    }
  }

  @Override
  public synchronized void message(String note) {
    this.note = note;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    Duration elapsed = Duration.ofNanos(nanoClock.getAsLong() - startNanos);
    write(work.amount(done) + " in " + Count.clock(elapsed), note);
  }

  private void write(String... parts) {
    String text =
        Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
    lines.accept(work.name() + ": " + text);
  }
}
