package org.lengthwise.progress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Progress as one line of a terminal. If the line is too short for all parts, the least important
 * parts are omitted. No part is truncated.
 */
record StatusLine(TrackedWork work, long done, Duration elapsed, String note) {
  private static final int LEAST_BAR = 8;
  private static final int MOST_BAR = 40;

  /** A part of the line. Constants are in the order of the line; rank 1 is most important. */
  private enum Position {
    NAME(4),
    PERCENT(1),
    AMOUNT(5),
    LEFT(3),
    NOTE(2),
    RATE(6);

    private final int rank;

    Position(int rank) {
      this.rank = rank;
    }
  }

  private record Piece(Position position, String text) {}

  /** The line, padded with spaces so that it covers the previous line. */
  String of(int width) {
    List<Piece> fitting = new ArrayList<>();
    int room = width;
    for (Piece part : parts()) {
      int needed = part.text().length() + (fitting.isEmpty() ? 0 : 1);
      if (needed <= room) {
        fitting.add(part);
        room -= needed;
      }
    }
    fitting.sort(Comparator.comparing(Piece::position));
    List<String> texts = new ArrayList<>(fitting.stream().map(Piece::text).toList());
    if (work.total() > 0 && room > LEAST_BAR + 2) {
      texts.add(bar(Math.min(MOST_BAR, room - 3)));
    }
    String line = String.join(" ", texts);
    return line + " ".repeat(Math.max(0, width - line.length()));
  }

  private List<Piece> parts() {
    String percent = work.total() > 0 ? 100 * done / work.total() + "%" : "";
    return List.of(
            new Piece(Position.NAME, work.name()),
            new Piece(Position.PERCENT, percent),
            new Piece(Position.AMOUNT, work.amount(done)),
            new Piece(Position.LEFT, work.timeLeft(done, elapsed)),
            new Piece(Position.NOTE, note),
            new Piece(Position.RATE, work.rate(done, elapsed)))
        .stream()
        .filter(part -> !part.text().isEmpty())
        .sorted(Comparator.comparing(part -> part.position().rank))
        .toList();
  }

  private String bar(int width) {
    int full = (int) (width * Math.min(done, work.total()) / work.total());
    return "[" + "=".repeat(full) + " ".repeat(width - full) + "]";
  }
}
