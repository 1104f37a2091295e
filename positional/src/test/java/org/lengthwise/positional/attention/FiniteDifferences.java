package org.lengthwise.positional.attention;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Derivatives of the reference's results, weighted by the cotangent, as central differences.
 *
 * <p>Only results that a number can change are computed twice. A row changes results of its own
 * sequence, in causal attention at its own position and later ones, and of its own head unless the
 * scheme mixes heads. A learnable number of one head changes the results of that head.
 */
final class FiniteDifferences {
  private static final double STEP = 1e-5;

  /**
   * Up to this length a learnable number is moved for all heads: a formula may treat them apart.
   */
  private static final int LONGEST_FOR_ALL_HEADS = 16;

  private final AttentionCase moved;
  private final int level;
  private final boolean mixesHeads;

  FiniteDifferences(AttentionCase example, int level) {
    this.moved = example.copy();
    this.level = level;
    int lastQueryOfHead0 = (example.length() - 1) * example.rowWidth();
    mixesHeads = headsReached(moved.qkv(), lastQueryOfHead0).anyMatch(head -> head > 0);
  }

  /**
   * The derivative by one number.
   *
   * @param name {@link AttentionCase#INPUTS} or a learnable tensor
   * @param place the row-major index
   */
  double at(String name, int place) {
    if (name.equals(AttentionCase.INPUTS)) {
      return byInput(place);
    }
    double[] numbers = requireNonNull(moved.parameters().get(name));
    int[] heads = allHeads();
    if (moved.length() > LONGEST_FOR_ALL_HEADS) {
      int[] reached = headsReached(numbers, place).toArray();
      heads = reached.length == 0 ? heads : reached;
    }
    double sum = 0;
    for (int b = 0; b < AttentionCase.BATCH; b++) {
      sum += difference(numbers, place, b, heads, 0);
    }
    return sum;
  }

  private double byInput(int place) {
    int row = place / moved.rowWidth();
    int column = place % moved.rowWidth();
    boolean isOfOneHead = column < 3 * AttentionCase.WIDTH && !mixesHeads;
    int[] heads =
        isOfOneHead
            ? new int[] {column % AttentionCase.WIDTH / AttentionCase.HEAD_WIDTH}
            : allHeads();
    int from = moved.causal() ? row % moved.length() : 0;
    return difference(moved.qkv(), place, row / moved.length(), heads, from);
  }

  private static int[] allHeads() {
    return IntStream.range(0, AttentionCase.HEADS).toArray();
  }

  /** The heads in which the number changes the result of the first sequence's last query. */
  private IntStream headsReached(double[] numbers, int place) {
    double[][] before = lastResults();
    double original = numbers[place];
    numbers[place] = original + 0.5;
    double[][] after = lastResults();
    numbers[place] = original;
    return Arrays.stream(allHeads()).filter(head -> !Arrays.equals(before[head], after[head]));
  }

  private double[][] lastResults() {
    AttentionCase.Sequence sequence = moved.sequence(0);
    return Arrays.stream(allHeads())
        .mapToObj(head -> sequence.result(head, level, moved.length() - 1))
        .toArray(double[][]::new);
  }

  private double difference(double[] numbers, int place, int b, int[] heads, int from) {
    double original = numbers[place];
    numbers[place] = original + STEP;
    double above = weightedSum(b, heads, from);
    numbers[place] = original - STEP;
    double below = weightedSum(b, heads, from);
    numbers[place] = original;
    return (above - below) / (2 * STEP);
  }

  /** The sum of a sequence's results from a query on in some heads, times the cotangent. */
  private double weightedSum(int b, int[] heads, int from) {
    AttentionCase.Sequence sequence = moved.sequence(b);
    double sum = 0;
    for (int head : heads) {
      for (int t = from; t < moved.length(); t++) {
        double[] result_D = sequence.result(head, level, t);
        int start =
            (b * moved.length() + t) * AttentionCase.WIDTH + head * AttentionCase.HEAD_WIDTH;
        for (int i = 0; i < result_D.length; i++) {
          sum += result_D[i] * moved.cotangent()[start + i];
        }
      }
    }
    return sum;
  }
}
