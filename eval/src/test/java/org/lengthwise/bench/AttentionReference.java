package org.lengthwise.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalValues;
import org.lengthwise.positional.ReferenceAttention;
import org.lengthwise.positional.ReferenceRecurrence;

/**
 * The results of a sample in plain doubles: the attended values [T, d] of each level, then the
 * gradients of each input, from the sum of all values.
 */
record AttentionReference(AttentionSample sample, Optional<double[][]> recurrent_Td) {
  private static final double STEP = 1e-5;

  /** A linear recurrence is computed once for all values. */
  AttentionReference(AttentionSample sample) {
    this(sample, recurrent(sample));
  }

  private static Optional<double[][]> recurrent(AttentionSample sample) {
    return sample.scheme() instanceof Linear linear
        ? Optional.of(
            new ReferenceRecurrence(linear, parameters(sample)).run(sample.inputs().get(0)))
        : Optional.empty();
  }

  int numResults() {
    return sample.levels() + sample.inputs().size();
  }

  private int width() {
    return sample.heads() * sample.headWidth();
  }

  /** The number of numbers of a result. */
  int size(int result) {
    if (result < sample.levels()) {
      return sample.length() * width();
    }
    double[][] input = sample.inputs().get(result - sample.levels());
    return input.length * input[0].length;
  }

  /** A number of a result by its row-major index. */
  double at(int result, int place) {
    if (result >= sample.levels()) {
      return derivative(sample.inputs().get(result - sample.levels()), place);
    }
    if (recurrent_Td.isPresent()) {
      return recurrent_Td.get()[place / width()][place % width()];
    }
    int head = place % width() / sample.headWidth();
    return values(result, head, place / width(), 1)[place % sample.headWidth()];
  }

  /** A central difference of the sum of all values. */
  private double derivative(double[][] input, int place) {
    double[] moved = input[place / input[0].length];
    int at = place % moved.length;
    int from = input.length > 1 ? place / moved.length : 0; // earlier queries do not see the row
    double original = moved[at];
    moved[at] = original + STEP;
    double above = sum(from);
    moved[at] = original - STEP;
    double below = sum(from);
    moved[at] = original;
    return (above - below) / (2 * STEP);
  }

  private double sum(int from) {
    Optional<double[][]> moved_Td = recurrent(sample);
    if (moved_Td.isPresent()) {
      return Arrays.stream(moved_Td.get()).flatMapToDouble(Arrays::stream).sum();
    }
    double sum = 0;
    for (int level = 0; level < sample.levels(); level++) {
      for (int head = 0; head < sample.heads(); head++) {
        sum += Arrays.stream(values(level, head, from, sample.length() - from)).sum();
      }
    }
    return sum;
  }

  /** The values of consecutive queries of one head. */
  private double[] values(int level, int head, int first, int count) {
    int length = sample.length();
    PositionalValues values = parameters(sample);
    ReferenceAttention attention = ReferenceAttention.of(sample.scheme(), values, true, length);
    double[][] carried_TE = new double[length][];
    Arrays.setAll(carried_TE, t -> part(t, 3 * width(), sample.inputs().get(0)[t].length));
    ReferenceAttention.Rows rows = attention.rows(heads(0), heads(1), carried_TE);
    double[][] v_TD = heads(2)[head];
    return IntStream.range(first, first + count)
        .boxed()
        .flatMapToDouble(t -> Arrays.stream(attention.attend(rows, v_TD, head, level, t)))
        .toArray();
  }

  private static PositionalValues parameters(AttentionSample sample) {
    Map<String, double[]> parameters = new LinkedHashMap<>();
    for (PositionalParameter each :
        ScalingBench.parameters(
            sample.scheme(), sample.heads(), sample.heads() * sample.headWidth())) {
      parameters.put(each.name(), sample.inputs().get(1 + parameters.size())[0]);
    }
    return new PositionalValues(sample.heads(), sample.headWidth(), 0, sample.length(), parameters);
  }

  /** Queries, keys or values [H, T, D]. */
  private double[][][] heads(int which) {
    double[][][] part_HTD = new double[sample.heads()][sample.length()][];
    for (int h = 0; h < sample.heads(); h++) {
      int from = (which * sample.heads() + h) * sample.headWidth();
      Arrays.setAll(part_HTD[h], t -> part(t, from, from + sample.headWidth()));
    }
    return part_HTD;
  }

  private double[] part(int position, int from, int to) {
    return Arrays.copyOfRange(sample.inputs().get(0)[position], from, to);
  }
}
