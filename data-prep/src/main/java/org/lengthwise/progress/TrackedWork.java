package org.lengthwise.progress;

import java.time.Duration;
import java.util.Locale;
import org.lengthwise.error.Count;

/**
 * Work whose progress is shown.
 *
 * @param total the total in this unit, or -1 if unknown
 * @param tokensPerUnit the tokens of one unit; 0 if the rate in tokens is not shown
 */
record TrackedWork(String name, String unit, long total, long tokensPerUnit) {
  private static final String BYTES = "bytes";
  private static final String TOKENS = "tokens";
  private static final double NANOS_PER_SECOND = 1e9;

  /** The finished part, such as {@code 11.3 MB of 37.9 MB}. */
  String amount(long done) {
    return total < 0 ? quantity(done) : number(done) + " of " + quantity(total);
  }

  /** The mean rate since the start, such as {@code 1.1 MB/s}. */
  String rate(long done, Duration elapsed) {
    double perSecond = perSecond(done, elapsed);
    String rate =
        switch (unit) {
          case BYTES -> Count.bytes(Math.round(perSecond)) + "/s";
          case TOKENS -> Count.rounded(Math.round(perSecond)) + " tokens/s";
          default -> String.format(Locale.ROOT, "%,.1f %s/s", perSecond, unit);
        };
    return tokensPerUnit == 0
        ? rate
        : rate + ", " + Count.rounded(Math.round(perSecond * tokensPerUnit)) + " tokens/s";
  }

  /** The time that the rest takes at this rate, such as {@code 0:01:30 left}; empty if unknown. */
  String timeLeft(long done, Duration elapsed) {
    if (total < 0 || done <= 0) {
      return "";
    }
    double seconds = Math.max(0, total - done) / perSecond(done, elapsed);
    return Count.clock(Duration.ofSeconds((long) seconds)) + " left";
  }

  private String number(long count) {
    return switch (unit) {
      case BYTES -> Count.bytes(count);
      case TOKENS -> Count.rounded(count);
      default -> String.format(Locale.ROOT, "%,d", count);
    };
  }

  private String quantity(long count) {
    return unit.equals(BYTES) ? Count.bytes(count) : number(count) + " " + unit;
  }

  private static double perSecond(long done, Duration elapsed) {
    return done * NANOS_PER_SECOND / Math.max(1, elapsed.toNanos());
  }
}
