package org.lengthwise.ngram;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.config.EnumName;

/**
 * An n-gram model as rows of log-probabilities. It has a row for each sequence of at most n - 1
 * tokens that another token follows in a stream. Every other history has the row of its longest
 * known suffix.
 *
 * <p>Histories are numbered from 0, the shorter ones first; history 0 is empty.
 */
public final class NGramTable {
  /** The smallest log-probability, which also stands for a probability of 0. */
  public static final double FLOOR = -30;

  /** No token is a boundary. */
  public static final int NO_BOUNDARY = -1;

  /** What the probabilities are computed from. */
  public enum Smoothing {
    /** Interpolated modified Kneser-Ney, as {@link KneserNey}. */
    KNESER_NEY,
    NONE;

    @Override
    public String toString() {
      return EnumName.of(this); // as on the command line
    }
  }

  private final int order;
  private final int vocabulary;
  private final GramTable histories;
  private final double[] nll;

  private NGramTable(int order, int vocabulary, GramTable histories, double[] nll) {
    this.order = order;
    this.vocabulary = vocabulary;
    this.histories = histories;
    this.nll = nll;
  }

  /**
   * {@return an interpolated modified Kneser-Ney model, the same as {@link KneserNey}}
   *
   * @param sorted the stream, sorted to order n at least
   * @param scanned as in {@link KneserNey#nll}, up to {@link #numScanned}
   */
  public static NGramTable kneserNey(
      int order, int vocabulary, SuffixOrder sorted, LongConsumer scanned) {
    GramTable histories = histories(sorted, order, NO_BOUNDARY);
    KneserNey model = new KneserNey(order, vocabulary, sorted, sorted.numTokens());
    double[] nll =
        model.nll(
            Math.multiplyExact(histories.size(), vocabulary),
            row -> gram(histories, row / vocabulary, row % vocabulary),
            scanned);
    return new NGramTable(order, vocabulary, histories, nll);
  }

  /** {@return the work of {@link #kneserNey}: the number of tokens that it scans} */
  public static long numScanned(SuffixOrder sorted, int order, int vocabulary) {
    long rows = 1 + numHistories(sorted, order, NO_BOUNDARY)[order];
    return KneserNey.numScanned(sorted, Math.toIntExact(rows * vocabulary));
  }

  /** A history and the token after it, the oldest token first. */
  private static int[] gram(GramTable histories, int history, int token) {
    int length = histories.length(history);
    int[] gram = new int[length + 1];
    Arrays.setAll(gram, i -> i == length ? token : histories.token(history, length - 1 - i));
    return gram;
  }

  /**
   * {@return a model of the relative frequencies, without smoothing} No history continues beyond a
   * boundary, so one boundary token stands for any number of them before a text.
   *
   * @param sorted the stream, sorted to order n at least; its first token is no target
   * @param boundary the token between texts, and before the first
   */
  public static NGramTable maximumLikelihood(
      int order, int vocabulary, SuffixOrder sorted, int boundary) {
    GramTable histories = histories(sorted, order, boundary);
    double[] counts = new double[Math.multiplyExact(histories.size(), vocabulary)];
    for (int position = 1; position < sorted.numTokens(); position++) {
      int newest = position - 1;
      for (int length = 0; length < order && length <= position; length++) {
        if (length > 1 && sorted.token(newest - (length - 2)) == boundary) {
          break;
        }
        int history = histories.find(length, age -> sorted.token(newest - age));
        counts[history * vocabulary + sorted.token(position)]++;
      }
    }
    for (int history = 0; history < histories.size(); history++) {
      int first = history * vocabulary;
      double total = Arrays.stream(counts, first, first + vocabulary).sum();
      for (int i = first; i < first + vocabulary; i++) {
        counts[i] = -Math.log(counts[i] / total);
      }
    }
    return new NGramTable(order, vocabulary, histories, counts);
  }

  /**
   * {@return the number of histories for each order: element k is the number of histories of 1 to k
   * - 1 tokens, for k up to n}
   *
   * @param boundary the token beyond which no history continues, or {@link #NO_BOUNDARY}
   */
  public static long[] numHistories(SuffixOrder sorted, int order, int boundary) {
    long[] counts = new long[order + 1];
    visit(sorted, order, boundary, (length, newest) -> counts[length + 1]++);
    Arrays.parallelPrefix(counts, Long::sum);
    return counts;
  }

  private static GramTable histories(SuffixOrder sorted, int order, int boundary) {
    List<IntStream.Builder> byLength = Stream.generate(IntStream::builder).limit(order).toList();
    visit(sorted, order, boundary, (length, newest) -> byLength.get(length).add(newest));
    GramTable histories = new GramTable();
    histories.add(0, age -> NO_BOUNDARY);
    for (int i = 1; i < order; i++) {
      int length = i;
      byLength
          .get(length)
          .build()
          .forEach(newest -> histories.add(length, age -> sorted.token(newest - age)));
    }
    return histories;
  }

  private interface Visitor {
    /**
     * Receives a history.
     *
     * @param length its length, at least 1
     */
    void visit(int length, int newest);
  }

  private static void visit(SuffixOrder sorted, int order, int boundary, Visitor visitor) {
    boolean[] crosses = new boolean[order];
    SuffixOrder.Grams grams =
        new SuffixOrder.Grams() {
          @Override
          public void begin(int length, int position) {
            crosses[length] =
                length > 1
                    && (crosses[length - 1] || sorted.token(position - (length - 2)) == boundary);
            if (!crosses[length]) {
              visitor.visit(length, position);
            }
          }

          @Override
          public void end(int length, long count) {}
        };
    // No token follows the last one.
    sorted.scan(order - 1, sorted.numTokens() - 1, grams, scanned -> {});
  }

  public int order() {
    return order;
  }

  public int vocabulary() {
    return vocabulary;
  }

  /** {@return the number of rows, one for each history, with the empty one} */
  public int size() {
    return histories.size();
  }

  int length(int history) {
    return histories.length(history);
  }

  /**
   * {@return a token of a history}
   *
   * @param age how many tokens of the history are newer
   */
  int token(int history, int age) {
    return histories.token(history, age);
  }

  /** The number of a history without its oldest token. */
  int shorter(int history) {
    return histories.find(histories.length(history) - 1, age -> histories.token(history, age));
  }

  /** {@return the row of a history: ln p(w|h) for each token w, at least {@link #FLOOR}} */
  double[] row(int history) {
    double[] row = new double[vocabulary];
    Arrays.setAll(row, token -> Math.max(FLOOR, -nll[history * vocabulary + token]));
    return row;
  }
}
