package org.lengthwise.dataprep.progress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How far a task is, in one line of a terminal. Where the line is short, what matters less is left
 * out whole, so that nothing is cut.
 *
 * @param task what is done, and how much of it there is
 * @param done how much of it is done
 * @param elapsed the time since it began
 * @param note what else it says
 */
record StatusLine(LogProgress.Task task, long done, Duration elapsed, String note) {
  private static final int LEAST_BAR = 8;
  private static final int MOST_BAR = 40;
  private static final double MILLIS_PER_SECOND = 1e3;

  /** What a line may hold, from left to right, each with its place in the order of importance. */
  private enum Place {
    NAME(4),
    PERCENT(1),
    AMOUNT(5),
    LEFT(3),
    NOTE(2),
    RATE(6);

    private final int rank;

    Place(int rank) {
      this.rank = rank;
    }
  }

  private record Part(Place place, String text) {}

  /** The line, padded to a width so that it covers the one before. */
  String of(int width) {
    List<Part> fitting = new ArrayList<>();
    int room = width;
    for (Part part : parts()) {
      int needed = part.text().length() + (fitting.isEmpty() ? 0 : 1);
      if (needed <= room) {
        fitting.add(part);
        room -= needed;
      }
    }
    fitting.sort(Comparator.comparing(Part::place));
    List<String> texts = new ArrayList<>(fitting.stream().map(Part::text).toList());
    if (isKnown() && room > LEAST_BAR + 2) {
      texts.add(bar(Math.min(MOST_BAR, room - 3)));
    }
    String line = String.join(" ", texts);
    return line + " ".repeat(Math.max(0, width - line.length()));
  }

  /** What there is to say, the most important first. */
  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    parts.add(new Part(Place.NAME, task.name()));
    double perSecond = MILLIS_PER_SECOND * done / Math.max(1, elapsed.toMillis());
    parts.add(new Part(Place.RATE, text("%,.1f %s/s", perSecond, task.unit())));
    if (isKnown()) {
      parts.add(new Part(Place.PERCENT, text("%d%%", 100 * done / task.total())));
      parts.add(new Part(Place.AMOUNT, text("%,d/%,d %s", done, task.total(), task.unit())));
      if (done > 0) {
        long secondsLeft = (long) (Math.max(0, task.total() - done) / perSecond);
        parts.add(new Part(Place.LEFT, clock(Duration.ofSeconds(secondsLeft)) + " left"));
      }
    } else {
      parts.add(new Part(Place.AMOUNT, text("%,d %s", done, task.unit())));
    }
    if (!note.isEmpty()) {
      parts.add(new Part(Place.NOTE, note));
    }
    parts.sort(Comparator.comparing(part -> part.place().rank));
    return parts;
  }

  private boolean isKnown() {
    return task.total() > 0;
  }

  private String bar(int width) {
    int full = (int) (width * Math.min(done, task.total()) / task.total());
    return "[" + "=".repeat(full) + " ".repeat(width - full) + "]";
  }

  private static String clock(Duration time) {
    return text("%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
