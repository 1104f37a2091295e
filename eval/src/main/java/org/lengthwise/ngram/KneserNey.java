package org.lengthwise.ngram;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * An interpolated modified Kneser-Ney model of order n.
 *
 * <p>The count a(g) of a gram of n tokens is the number of its occurrences. The count of a shorter
 * gram is the number of different tokens before its occurrences. The start of the stream counts as
 * a token. With h' = h without its oldest token,
 *
 * <pre>
 * p(w|h)   = (a(hw) - D(a(hw))) / a(h.) + gamma(h) p(w|h')
 * gamma(h) = sum over w of D(a(hw)), divided by a(h.)
 * p(w|h)   = p(w|h') where h was not seen; below order 1 it is 1 / V
 * </pre>
 *
 * <p>Source: Chen and Goodman, "An Empirical Study of Smoothing Techniques for Language Modeling",
 * 1998, section 4.
 *
 * <p>Implementation note: grams are not stored. A scan of the sorted stream collects the counts of
 * those grams and contexts that the targets need.
 */
public final class KneserNey {
  private static final Logger LOG = LogManager.getLogger(KneserNey.class);

  /** The largest j for which the estimate of discounts needs m_j. */
  private static final int LARGEST_COUNT = 4;

  private static final int TARGETS_PER_SCAN = 1 << 18;

  private final int order;
  private final int vocabulary;
  private final SuffixOrder sorted;
  private final int numTokens;
  private List<Discounts> discounts = List.of();

  /**
   * A model that counts the first tokens of a stream.
   *
   * @param order n, from 1 to the order of the sorted stream
   * @param vocabulary V
   * @param sorted the stream; the caller closes it
   * @param numTokens N, the number of tokens to count, at most all
   */
  public KneserNey(int order, int vocabulary, SuffixOrder sorted, long numTokens) {
    if (order < 1 || order > sorted.order() || numTokens > sorted.numTokens()) {
      throw new IllegalArgumentException(
          "expected at most order %s and %s tokens, found order %s and %s tokens"
              .formatted(sorted.order(), sorted.numTokens(), order, numTokens));
    }
    this.order = order;
    this.vocabulary = vocabulary;
    this.sorted = sorted;
    this.numTokens = (int) numTokens;
  }

  /** {@return the work of scoring: the number of tokens that {@link #nll} scans} */
  public static long numScanned(SuffixOrder sorted, int numTargets) {
    return (numTargets + TARGETS_PER_SCAN - 1L) / TARGETS_PER_SCAN * sorted.numTokens();
  }

  /**
   * {@return an upper bound of the memory of a scan, in bytes of heap} Contexts, of which targets
   * after the same tokens share one, are not counted.
   */
  static long heapBytes(int order, long numTargets) {
    long numGrams = order * Math.min(numTargets, TARGETS_PER_SCAN);
    return GramTable.heapBytes(numGrams, numGrams * (order + 1) / 2) + Long.BYTES * numGrams;
  }

  /**
   * {@return n discounts, one for each gram length, those of single tokens first; empty before the
   * first call of {@link #nll}}
   */
  public List<Discounts> discounts() {
    return discounts;
  }

  /**
   * Scores tokens.
   *
   * @param grams gives for the number of a target the tokens before it, oldest first and at most n
   *     - 1 of them, and then the target
   * @param progress called repeatedly with the number of tokens scanned so far, up to {@link
   *     #numScanned}; it may throw to stop
   * @return the negative log-likelihood of each target in nats
   */
  public double[] nll(int numTargets, IntFunction<int[]> grams, LongConsumer progress) {
    double[] nll = new double[numTargets];
    int end;
    for (int first = 0; first < numTargets; first = end) {
      end = first + Math.min(TARGETS_PER_SCAN, numTargets - first);
      long before = numScanned(sorted, first);
      Needed needed = new Needed(IntStream.range(first, end).mapToObj(grams));
      sorted.scan(order, numTokens, needed, scanned -> progress.accept(before + scanned));
      if (discounts.isEmpty()) {
        discounts = needed.discounts();
        logFallbacks();
      }
      for (int i = first; i < end; i++) {
        nll[i] = -Math.log(needed.probability(grams.apply(i)));
      }
    }
    return nll;
  }

  private void logFallbacks() {
    String lengths =
        IntStream.rangeClosed(1, order)
            .filter(length -> !discounts.get(length - 1).isEstimated())
            .mapToObj(length -> length + "-grams")
            .collect(Collectors.joining(", "));
    if (!lengths.isEmpty()) {
      LOG.info(
          "Kneser-Ney of order {}: the counts give no discounts for {}, which are 1/2, 1 and 3/2",
          order,
          lengths);
    }
  }

  /** The counts of the grams and contexts of some targets, and of counts. */
  private final class Needed implements SuffixOrder.Grams {
    private final GramTable grams = new GramTable();
    private final GramTable contexts = new GramTable();
    private final long[] counts;

    /** By context: a(h.), and how many tokens follow with a count of 1, of 2, of 3 and more. */
    private final long[][] followers;

    /** m_j by length and j. */
    private final long[][] numWithCount = new long[order + 1][LARGEST_COUNT + 1];

    // The grams that have started and not ended, by length.
    private final long[] gramHash = new long[order + 1];
    private final long[] contextHash = new long[order + 1];
    private final int[] gram = new int[order + 1];
    private final int[] context = new int[order + 1];

    Needed(Stream<int[]> targets) {
      targets.forEach(
          target -> {
            int last = target.length - 1;
            for (int length = 1; length <= target.length; length++) {
              grams.add(length, age -> target[last - age]);
              contexts.add(length - 1, age -> target[last - 1 - age]);
            }
          });
      counts = new long[grams.size()];
      followers = new long[4][contexts.size()];
      gramHash[0] = GramTable.emptyHash();
    }

    @Override
    public void begin(int length, int position) {
      int oldest = position - (length - 1);
      int token = sorted.token(oldest);
      gramHash[length] = GramTable.hash(gramHash[length - 1], token);
      contextHash[length] =
          length == 1 ? GramTable.emptyHash() : GramTable.hash(contextHash[length - 1], token);
      context[length] =
          contexts.find(contextHash[length], length - 1, age -> sorted.token(position - 1 - age));
      gram[length] =
          context[length] < 0
              ? -1
              : grams.find(gramHash[length], length, age -> sorted.token(position - age));
    }

    @Override
    public void end(int length, long count) {
      if (count <= LARGEST_COUNT) {
        numWithCount[length][(int) count]++;
      }
      int followed = context[length];
      if (followed >= 0) {
        followers[0][followed] += count;
        followers[(int) Math.min(count, 3)][followed]++;
      }
      if (gram[length] >= 0) {
        counts[gram[length]] = count;
      }
    }

    List<Discounts> discounts() {
      List<Discounts> all = new ArrayList<>();
      for (int length = 1; length <= order; length++) {
        all.add(Discounts.of(numWithCount[length]));
      }
      return List.copyOf(all);
    }

    double probability(int[] target) {
      int last = target.length - 1;
      double p = 1.0 / vocabulary;
      for (int length = 1; length <= target.length; length++) {
        int h = contexts.find(length - 1, age -> target[last - 1 - age]);
        long total = followers[0][h];
        if (total == 0) {
          break; // so no longer context was seen
        }
        Discounts discount = discounts.get(length - 1);
        long count = counts[grams.find(length, age -> target[last - age])];
        double kept = count == 0 ? 0 : count - discount.of(count);
        double freed =
            discount.one() * followers[1][h]
                + discount.two() * followers[2][h]
                + discount.more() * followers[3][h];
        p = kept / total + freed / total * p;
      }
      return p;
    }
  }
}
