package org.lengthwise.eval.bench;

import java.util.Arrays;

/**
 * How long one form took.
 *
 * @param median the median in milliseconds
 * @param least the fastest repetition in milliseconds
 * @param greatest the slowest repetition in milliseconds
 * @param repetitions how many there were
 */
public record Timing(double median, double least, double greatest, int repetitions) {

  static Timing of(double[] milliseconds) {
    double[] sorted = milliseconds.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    double median = (sorted[last / 2] + sorted[sorted.length / 2]) / 2;
    return new Timing(median, sorted[0], sorted[last], sorted.length);
  }
}
