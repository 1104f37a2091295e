package org.lengthwise.ngram;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * {@link KneserNey} computed directly from its definition, with every gram in a map. It is slow and
 * meant for small streams.
 */
public final class ReferenceKneserNey {
  private static final int START = -1;

  private final int order;
  private final int vocabulary;
  private final Map<List<Integer>, Long> counts = new HashMap<>();
  private final Discounts[] discounts;

  /**
   * Counts all grams of a stream.
   *
   * @param order n, at least 1
   * @param vocabulary V
   */
  public ReferenceKneserNey(int order, int vocabulary, int[] stream) {
    this.order = order;
    this.vocabulary = vocabulary;
    Map<List<Integer>, Set<Integer>> before = new HashMap<>();
    for (int end = 1; end <= stream.length; end++) {
      for (int length = 1; length <= Math.min(order, end); length++) {
        List<Integer> gram = tokens(stream, end - length, end);
        int earlier = end > length ? stream[end - length - 1] : START;
        if (length == order) {
          counts.merge(gram, 1L, Long::sum);
        } else {
          before.computeIfAbsent(gram, g -> new HashSet<>()).add(earlier);
        }
      }
    }
    before.forEach((gram, earlier) -> counts.put(gram, (long) earlier.size()));
    this.discounts =
        IntStream.rangeClosed(1, order).mapToObj(this::estimated).toArray(Discounts[]::new);
  }

  private static List<Integer> tokens(int[] stream, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> stream[i]).toList();
  }

  private Discounts estimated(int length) {
    long[] numWithCount = new long[5];
    counts.forEach(
        (gram, count) -> {
          if (gram.size() == length && count < numWithCount.length) {
            numWithCount[count.intValue()]++;
          }
        });
    return Discounts.of(numWithCount);
  }

  /**
   * {@return p(w|h), the probability of a token after a context}
   *
   * @param h the context, the oldest token first, at most n - 1 tokens
   * @param w the token
   */
  public double probability(List<Integer> h, int w) {
    if (h.size() >= order) {
      throw new IllegalArgumentException(
          "expected at most " + (order - 1) + " tokens of context, found " + h.size());
    }
    double shorter = h.isEmpty() ? 1.0 / vocabulary : probability(h.subList(1, h.size()), w);
    Discounts discount = discounts[h.size()];
    long total = 0;
    double freed = 0;
    for (int follower = 0; follower < vocabulary; follower++) {
      long count = count(h, follower);
      total += count;
      freed += count == 0 ? 0 : discount.of(count);
    }
    if (total == 0) {
      return shorter;
    }
    long count = count(h, w);
    double kept = count == 0 ? 0 : count - discount.of(count);
    return kept / total + freed / total * shorter;
  }

  private long count(List<Integer> h, int w) {
    List<Integer> gram = new ArrayList<>(h);
    gram.add(w);
    return Objects.requireNonNullElse(counts.get(gram), 0L);
  }
}
