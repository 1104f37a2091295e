package org.lengthwise.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** The ticks of an axis: round numbers in its range, as many as have room. */
record Ticks(Axis axis, Range range, List<Double> values) {
  /** The least distance of two ticks on the x axis, in pixels. */
  private static final double SPACE_X = 80;

  private static final double SPACE_Y = 42;

  /** A logarithmic axis over a larger ratio has ticks only at powers of ten. */
  private static final double MANY_DECADES = 1000;

  /** A logarithmic axis over a smaller ratio has a label at each tick. */
  private static final double MANY_TICKS = 10;

  private static final double ROUNDING = 1e-6;

  /**
   * The ticks of an x axis.
   *
   * @param length in pixels
   */
  static Ticks ofX(Axis axis, Range range, double length) {
    List<Double> values =
        switch (axis.scale()) {
          case DOUBLINGS -> doublings(axis, range, length);
          case LOG -> round(axis, range, length / SPACE_X);
          case LINEAR ->
              axis.ticks().isEmpty() ? round(axis, range, length / SPACE_X) : axis.ticks();
        };
    return new Ticks(axis, range, values);
  }

  static Ticks ofY(Axis axis, Range range, double length) {
    return new Ticks(axis, range, round(axis, range, length / SPACE_Y));
  }

  /** A tick for each doubling of the first given tick. */
  private static List<Double> doublings(Axis axis, Range range, double length) {
    double origin = axis.ticks().isEmpty() ? 1 : axis.ticks().get(0);
    double doublings = Math.log(range.high() / range.low()) / Math.log(2);
    int step = (int) Math.max(1, Math.ceil(doublings * SPACE_X / 2 / length));
    int first = (int) Math.ceil(Math.log(range.low() / origin) / Math.log(2));
    int last = (int) Math.floor(Math.log(range.high() / origin) / Math.log(2));
    return DoubleStream.iterate(
            Math.ceil((double) first / step) * step, at -> at <= last, at -> at + step)
        .map(at -> origin * Math.pow(2, at))
        .boxed()
        .toList();
  }

  /** Round numbers: 1, 2 or 5 times a power of ten, or each digit on a logarithmic axis. */
  private static List<Double> round(Axis axis, Range range, double most) {
    List<Double> ticks = new ArrayList<>();
    if (axis.isLogarithmic()) {
      boolean decades = range.high() / range.low() > MANY_DECADES;
      for (double power = Math.floor(Math.log10(range.low())); ; power++) {
        for (int digit = 1; digit < 10; digit += decades ? 9 : 1) {
          double tick = digit * Math.pow(10, power);
          if (tick > range.high()) {
            return ticks;
          }
          if (tick >= range.low()) {
            ticks.add(tick);
          }
        }
      }
    }
    double least = (range.high() - range.low()) / most;
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    double step =
        power * DoubleStream.of(1, 2, 5, 10).filter(f -> f * power >= least).min().orElse(10);
    for (double i = Math.ceil(range.low() / step); i * step <= range.high(); i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  /** The label of a tick. On a long logarithmic axis only 1, 2 and 5 have one. */
  String label(double tick) {
    long digit = Math.round(tick / Math.pow(10, Math.floor(Math.log10(tick) + ROUNDING)));
    boolean isLabelled =
        axis.scale() != Axis.Scale.LOG
            || range.high() / range.low() < MANY_TICKS
            || List.of(1L, 2L, 5L).contains(digit);
    return isLabelled ? axis.format().tick(tick) : "";
  }
}
