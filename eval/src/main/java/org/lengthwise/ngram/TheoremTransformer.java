package org.lengthwise.ngram;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.lengthwise.config.EnumName;

/**
 * The constructions of Svete and Cotterell (NAACL 2024) in plain doubles, with their corrections:
 * no LayerNorm, matrices for queries, keys and values, and a normaliser other than softmax.
 *
 * <p>Letters: n order, U symbols that are read (the alphabet and BOS, the last), p and j positions
 * from 1, h steps back. BOS stands at positions 1 to n - 1.
 */
public final class TheoremTransformer {
  /** The theorems, each by how the last tokens reach a position. */
  public enum Theorem {
    /** 3.1: n - 1 heads in one layer. */
    HEADS,
    /** 3.2: one head in each of n - 1 layers; the last has values 0. */
    LAYERS,
    /** 3.3: one head in one layer. */
    SINGLE,
    /** 4.1: n - 1 heads in one layer, with sparsemax. */
    SPARSE;

    @Override
    public String toString() {
      return EnumName.of(this); // as on the command line
    }
  }

  /** The functions from scores to weights. */
  enum Normaliser {
    HARDMAX {
      @Override
      double[] weights(double[] scores) {
        double largest = Arrays.stream(scores).max().orElseThrow();
        long ties = Arrays.stream(scores).filter(score -> score == largest).count();
        return Arrays.stream(scores).map(score -> score == largest ? 1.0 / ties : 0).toArray();
      }
    },
    SPARSEMAX {
      @Override
      double[] weights(double[] scores) {
        double[] sorted = Arrays.stream(scores).map(score -> -score).sorted().toArray();
        double sum = 0;
        double threshold = 0;
        for (int k = 1; k <= sorted.length; k++) {
          sum -= sorted[k - 1];
          if (1 - k * sorted[k - 1] > sum) {
            threshold = (sum - 1) / k;
          }
        }
        double tau = threshold;
        return Arrays.stream(scores).map(score -> Math.max(0, score - tau)).toArray();
      }
    },
    SOFTMAX {
      @Override
      double[] weights(double[] scores) {
        double largest = Arrays.stream(scores).max().orElseThrow();
        double[] weights = Arrays.stream(scores).map(s -> Math.exp(s - largest)).toArray();
        double sum = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / sum).toArray();
      }
    };

    abstract double[] weights(double[] scores);
  }

  /** A head: the score of a key is f(query . key). */
  private record Head(double[][] query, double[][] key, DoubleUnaryOperator f, double[][] value) {}

  private final Theorem theorem;
  private final Normaliser normaliser;
  private final int firstHead;
  private final int n;
  private final int numSymbols;
  private double smallestLead = Double.POSITIVE_INFINITY;

  /** A construction as corrected. */
  TheoremTransformer(Theorem theorem, int n, int alphabet) {
    this(
        theorem,
        theorem == Theorem.SPARSE ? Normaliser.SPARSEMAX : Normaliser.HARDMAX,
        0,
        n,
        alphabet);
  }

  /**
   * A construction with another normaliser, or with other heads.
   *
   * @param firstHead the steps back of the first head; 1 as printed in the paper
   */
  TheoremTransformer(Theorem theorem, Normaliser normaliser, int firstHead, int n, int alphabet) {
    this.theorem = theorem;
    this.normaliser = normaliser;
    this.firstHead = firstHead;
    this.n = n;
    this.numSymbols = alphabet + 1;
  }

  /**
   * {@return the bits of the history at each prefix of a string, the empty one first: n - 1 slots
   * of U numbers, the newest symbol first}
   *
   * @param string symbols from 0
   */
  List<double[]> histories(int[] string) {
    int[] symbols = new int[n - 1 + string.length];
    Arrays.fill(symbols, 0, n - 1, numSymbols - 1);
    System.arraycopy(string, 0, symbols, n - 1, string.length);
    double[][] bits =
        switch (theorem) {
          case HEADS, SPARSE -> heads(symbols);
          case LAYERS -> layers(symbols);
          case SINGLE -> single(symbols);
        };
    return List.of(bits).subList(n - 2, bits.length);
  }

  /** The smallest lead of the right keys, in all strings so far. */
  double smallestLead() {
    return smallestLead;
  }

  /** The values that a head attends to at every position, each over the positions up to it. */
  private double[][] attend(Head head, double[][] x) {
    double[][] keys = Arrays.stream(x).map(row -> product(head.key, row)).toArray(double[][]::new);
    double[][] out = new double[x.length][];
    for (int p = 0; p < x.length; p++) {
      double[] q = product(head.query, x[p]);
      double[] scores =
          IntStream.rangeClosed(0, p)
              .mapToDouble(j -> head.f.applyAsDouble(dot(q, keys[j])))
              .toArray();
      if (p >= n - 2) {
        smallestLead = Math.min(smallestLead, lead(scores));
      }
      double[] weights = normaliser.weights(scores);
      out[p] = new double[head.value.length];
      for (int j = 0; j <= p; j++) {
        if (weights[j] > 0) {
          add(out[p], product(head.value, x[j]), weights[j]);
        }
      }
    }
    return out;
  }

  /** How far the best keys lead: one key, or n - 1 of them in theorem 3.3. */
  private double lead(double[] scores) {
    double[] worstFirst = Arrays.stream(scores).sorted().toArray();
    int next = scores.length - 1 - (theorem == Theorem.SINGLE ? n - 1 : 1);
    return next < 0 ? Double.POSITIVE_INFINITY : worstFirst[next + 1] - worstFirst[next];
  }

  /** Theorems 3.1 and 4.1: x = [one-hot; 0; positions]. */
  private double[][] heads(int[] symbols) {
    boolean areFractions = theorem == Theorem.HEADS;
    int positions = areFractions ? 2 * (n + firstHead) : 2;
    int d = 2 * numSymbols + positions;
    double[][] x = new double[symbols.length][d];
    for (int p = 1; p <= symbols.length; p++) {
      double[] row = x[p - 1];
      row[symbols[p - 1]] = 1;
      for (int k = 0; areFractions && k < n + firstHead; k++) {
        pair(row, 2 * numSymbols + 2 * k, p + k);
      }
      if (!areFractions) {
        row[d - 2] = 1;
        row[d - 1] = p;
      }
    }
    double[][] copy = new double[d][d];
    IntStream.range(0, numSymbols).forEach(symbol -> copy[numSymbols + symbol][symbol] = 1);
    double[][] bits = new double[symbols.length][(n - 1) * numSymbols];
    for (int i = 0; i < n - 1; i++) {
      int h = firstHead + i;
      Head head =
          areFractions
              ? new Head(
                  select(d, 2 * numSymbols, 2), select(d, 2 * numSymbols + 2 * h, 2), s -> s, copy)
              : new Head(
                  new double[][] {select(d, d - 2, 1)[0], sum(d, 1, -h)},
                  new double[][] {sum(d, -1, 0), select(d, d - 2, 1)[0]},
                  s -> -Math.abs(s),
                  copy);
      double[][] attended = attend(head, x);
      for (int p = 0; p < symbols.length; p++) {
        add(attended[p], x[p], 1);
        // O clears slot 1 and the positions, so slot 2 is left.
        System.arraycopy(attended[p], numSymbols, bits[p], i * numSymbols, numSymbols);
      }
    }
    return bits;
  }

  /** A row that reads a p + b out of the last numbers (1, p). */
  private static double[] sum(int d, double a, double b) {
    double[] row = new double[d];
    row[d - 2] = b;
    row[d - 1] = a;
    return row;
  }

  /** Theorem 3.2: x = [one-hot; n - 2 empty slots; pair(p); pair(p+1)]. */
  private double[][] layers(int[] symbols) {
    int slots = (n - 1) * numSymbols;
    int d = slots + 4;
    double[][] x = new double[symbols.length][d];
    for (int p = 1; p <= symbols.length; p++) {
      x[p - 1][symbols[p - 1]] = 1;
      pair(x[p - 1], slots, p);
      pair(x[p - 1], slots + 2, p + 1);
    }
    for (int layer = 1; layer <= n - 1; layer++) {
      double[][] move = new double[d][d];
      for (int symbol = 0; layer < n - 1 && symbol < numSymbols; symbol++) {
        move[layer * numSymbols + symbol][(layer - 1) * numSymbols + symbol] = 1;
      }
      double[][] attended =
          attend(new Head(select(d, slots, 2), select(d, slots + 2, 2), s -> s, move), x);
      for (int p = 0; p < x.length; p++) {
        add(x[p], attended[p], 1);
      }
    }
    return Arrays.stream(x).map(row -> Arrays.copyOf(row, slots)).toArray(double[][]::new);
  }

  /** Theorem 3.3: x = [10^-p one-hot; 1; p]; the mean of the last n - 1 rows holds digits. */
  private double[][] single(int[] symbols) {
    int d = numSymbols + 2;
    double[][] x = new double[symbols.length][d];
    for (int p = 1; p <= symbols.length; p++) {
      x[p - 1][symbols[p - 1]] = Math.pow(10, -p);
      x[p - 1][d - 2] = 1;
      x[p - 1][d - 1] = p;
    }
    double[] minusOne = sum(d, 0, -1);
    Head head =
        new Head(
            new double[][] {sum(d, 1, -(n - 2)), minusOne},
            new double[][] {sum(d, 0, 1), sum(d, 1, 0)},
            s -> -Math.max(0, s),
            select(d, 0, numSymbols));
    double[][] attended = attend(head, x);
    double[][] bits = new double[symbols.length][(n - 1) * numSymbols];
    for (int p = 1; p <= symbols.length; p++) {
      for (int symbol = 0; symbol < numSymbols; symbol++) {
        double scaled = (n - 1) * Math.pow(10, p + 1 - n) * attended[p - 1][symbol];
        double[] digits = new double[n];
        for (int i = 1; i < n; i++) {
          double z = Math.pow(10, i) * scaled;
          for (int earlier = 1; earlier < i; earlier++) {
            z -= Math.pow(10, i - earlier) * digits[earlier];
          }
          digits[i] = 2 * (Math.max(0, z - 0.25) - Math.max(0, z - 0.75));
          bits[p - 1][(n - 1 - i) * numSymbols + symbol] = digits[i];
        }
      }
    }
    return bits;
  }

  /**
   * {@return the neurons of histories: ReLU(sum of n - 1 bits - (n - 2))}
   *
   * @param bits as {@link #histories} gives them
   * @param histories the symbols of each history, the oldest first
   */
  static double[] neurons(double[] bits, List<int[]> histories) {
    return histories.stream()
        .mapToDouble(
            history -> {
              int numSymbols = bits.length / history.length;
              double sum = 1 - history.length;
              for (int age = 0; age < history.length; age++) {
                sum += bits[age * numSymbols + history[history.length - 1 - age]];
              }
              return Math.max(0, sum);
            })
        .toArray();
  }

  /**
   * {@return the only neuron with the output 1; -1 if there is none, or another one has an output}
   */
  static int fired(double[] neurons) {
    int fired = -1;
    for (int i = 0; i < neurons.length; i++) {
      if (neurons[i] > 0) {
        if (fired >= 0 || Math.abs(neurons[i] - 1) > 1e-9) {
          return -1;
        }
        fired = i;
      }
    }
    return fired;
  }

  /** The unit vector (sqrt(1/t), sqrt(1-1/t)). */
  static void pair(double[] row, int place, double t) {
    row[place] = Math.sqrt(1 / t);
    row[place + 1] = Math.sqrt(1 - 1 / t);
  }

  private static double[][] select(int d, int first, int count) {
    double[][] matrix = new double[count][d];
    IntStream.range(0, count).forEach(i -> matrix[i][first + i] = 1);
    return matrix;
  }

  private static double[] product(double[][] matrix, double[] x) {
    return Arrays.stream(matrix).mapToDouble(row -> dot(row, x)).toArray();
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static void add(double[] to, double[] what, double factor) {
    for (int i = 0; i < to.length; i++) {
      to[i] += factor * what[i];
    }
  }
}
