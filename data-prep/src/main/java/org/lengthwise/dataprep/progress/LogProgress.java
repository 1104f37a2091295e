package org.lengthwise.dataprep.progress;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A report in lines, for output that is kept rather than watched. */
final class LogProgress implements Progress {
  private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * What is reported on.
   *
   * @param name what is being done
   * @param unit what is counted
   * @param total the amount at which it is done, or -1 when unknown
   */
  record Task(String name, String unit, long total) {}

  private final Task task;
  private final LongSupplier nanoClock;
  private final Consumer<String> lines;
  private final long startNanos;
  private long lastLineNanos;
  private long done;
  private String note = "";
  private boolean closed;

  LogProgress(Task task, LongSupplier nanoClock, Consumer<String> lines) {
    this.task = task;
    this.nanoClock = nanoClock;
    this.lines = lines;
    startNanos = nanoClock.getAsLong();
    lastLineNanos = startNanos;
    lines.accept(task.name() + ": started");
  }

  @Override
  public synchronized void advanceTo(long done) {
    this.done = done;
    long now = nanoClock.getAsLong();
    if (now - lastLineNanos >= INTERVAL_NANOS) {
      lastLineNanos = now;
      lines.accept(task.name() + ": " + amount() + pace(now) + noted());
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
    long elapsed = nanoClock.getAsLong() - startNanos;
    lines.accept(task.name() + ": " + amount() + " in " + clock(elapsed) + noted());
  }

  private String amount() {
    return task.total() < 0
        ? String.format(Locale.ROOT, "%,d %s", done, task.unit())
        : String.format(Locale.ROOT, "%,d of %,d %s", done, task.total(), task.unit());
  }

  private String pace(long now) {
    double perSecond = done / ((now - startNanos) / NANOS_PER_SECOND);
    String rate = String.format(Locale.ROOT, ", %,.1f %s/s", perSecond, task.unit());
    if (task.total() < 0 || perSecond <= 0) {
      return rate;
    }
    double secondsLeft = Math.max(0, task.total() - done) / perSecond;
    return rate + ", " + clock((long) (secondsLeft * NANOS_PER_SECOND)) + " left";
  }

  private String noted() {
    return note.isEmpty() ? "" : ", " + note;
  }

  private static String clock(long nanos) {
    Duration time = Duration.ofNanos(nanos);
    return String.format(
        Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }
}
