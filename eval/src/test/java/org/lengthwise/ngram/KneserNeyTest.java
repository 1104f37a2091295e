package org.lengthwise.ngram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.dataprep.shard.TokenStream;

/** The expected numbers of two streams come from an independent program in exact rationals. */
class KneserNeyTest {
  private static final Offset<Double> EXACT = within(1e-9);

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void everyBufferIsReleased() {
    allocator.close();
  }

  /** A stream whose tokens depend on the tokens before them, from a linear congruence. */
  private static int[] generated(int length, int vocabulary, long seed) {
    int[] stream = new int[length];
    long s = seed;
    int previous = 0;
    for (int i = 0; i < length; i++) {
      s = (1103515245L * s + 12345) % (1L << 31);
      int t = (int) (vocabulary * Math.pow((s >> 16) / (double) (1 << 15), 2.5));
      previous = (s & 4096) != 0 ? (previous + t) % vocabulary : t;
      stream[i] = previous;
    }
    return stream;
  }

  /** Every token except the first, with as many tokens before it as the order allows. */
  private static int[][] targets(int[] stream, int order) {
    return IntStream.range(1, stream.length)
        .mapToObj(end -> Arrays.copyOfRange(stream, Math.max(0, end - order + 1), end + 1))
        .toArray(int[][]::new);
  }

  private SuffixOrder sorted(int order, int vocabulary, int[] train) {
    return Streams.sorted(order, vocabulary, train, allocator);
  }

  private double[] nll(int order, int vocabulary, int[] train, int[][] targets) {
    try (SuffixOrder sorted = sorted(order, vocabulary, train)) {
      return nll(new KneserNey(order, vocabulary, sorted, train.length), targets);
    }
  }

  private static double[] nll(KneserNey model, int[][] targets) {
    return model.nll(targets.length, target -> targets[target], scanned -> {});
  }

  @Test
  void discountsAndLikelihoodsOfALargeVocabularyAreThoseOfTheDefinition() {
    int[] train = generated(20000, 300, 1);
    int[] test = generated(500, 300, 7);
    assertThat(test).startsWith(82, 14, 33, 152, 146);
    try (SuffixOrder sorted = sorted(3, 300, train)) {
      KneserNey model = new KneserNey(3, 300, sorted, train.length);

      double[] nll = nll(model, targets(test, 3));

      assertThat(Arrays.copyOf(nll, 4))
          .containsExactly(
              new double[] {4.784011967588, 4.538553247161, 6.257278411823, 6.185603894216}, EXACT);
      assertThat(Arrays.stream(nll).average().orElseThrow()).isCloseTo(5.525087153242, EXACT);
      assertThat(model.discounts().get(0)).isEqualTo(new Discounts(0.5, 1, 1.5, false));
      Discounts pairs = model.discounts().get(1);
      assertThat(pairs.one()).isCloseTo(0.772668113, EXACT);
      assertThat(pairs.two()).isCloseTo(1.441353371, EXACT);
      assertThat(pairs.more()).isCloseTo(1.832257241, EXACT);
      Discounts triples = model.discounts().get(2);
      assertThat(triples.one()).isCloseTo(0.989364371, EXACT);
      assertThat(triples.two()).isCloseTo(1.663989459, EXACT);
      assertThat(triples.more()).isCloseTo(2.670211876, EXACT);
    }
  }

  @Test
  void likelihoodsOfASmallVocabularyAreThoseOfTheDefinition() {
    int[] test = generated(300, 12, 7);
    assertThat(test).startsWith(3, 0, 0, 4, 3);

    double[] nll = nll(3, 12, generated(4000, 12, 1), targets(test, 3));

    assertThat(Arrays.copyOf(nll, 4))
        .containsExactly(
            new double[] {2.208215794551, 0.987417502954, 2.819032736992, 2.973482053161}, EXACT);
    assertThat(Arrays.stream(nll).average().orElseThrow()).isCloseTo(2.275618369851, EXACT);
  }

  @ParameterizedTest
  @CsvSource({
    "1,5,40",
    "2,3,60",
    "3,2,100",
    "4,4,200",
    "5,70000,30",
    "7,3,500",
    "3,4,3000",
    "5,2,4"
  })
  void countsInSuffixOrderGiveTheReference(int order, int vocabulary, int length) {
    long seed = Long.getLong("lengthwise.test.seed", new Random().nextLong());
    Random random = new Random(seed);
    int used = Math.min(vocabulary, 20);
    int[] train = random.ints(length, 0, used).map(t -> vocabulary - 1 - t).toArray();
    int[][] targets =
        targets(random.ints(40, 0, used).map(t -> vocabulary - 1 - t).toArray(), order);
    ReferenceKneserNey reference = new ReferenceKneserNey(order, vocabulary, train);

    double[] nll = nll(order, vocabulary, train, targets);

    for (int i = 0; i < Math.min(targets.length, vocabulary > 1000 ? 3 : 40); i++) {
      List<Integer> gram = new ArrayList<>(Arrays.stream(targets[i]).boxed().toList());
      int target = gram.remove(gram.size() - 1);
      assertThat(nll[i])
          .as("target %d, seed %d", i, seed)
          .isCloseTo(-Math.log(reference.probability(gram, target)), EXACT);
    }
  }

  @ParameterizedTest
  @CsvSource({"7,5,500", "5,5,200", "4,1,3", "7,7,2", "6,6,1"})
  void oneSortServesEveryOrderAndEveryNumberOfFirstTokens(int sortedOrder, int order, int counted) {
    int[] train = generated(500, 4, 5);
    int[][] targets = targets(generated(60, 4, 9), order);
    double[] expected = nll(order, 4, Arrays.copyOf(train, counted), targets);
    try (SuffixOrder sorted = sorted(sortedOrder, 4, train)) {

      double[] nll = nll(new KneserNey(order, 4, sorted, counted), targets);

      assertThat(nll).containsExactly(expected);
    }
  }

  @Test
  void moreTargetsThanOneScanHoldsHaveTheirOwnLikelihoods() {
    int[] train = generated(300, 12, 1);
    int[][] targets = targets(generated(300, 12, 7), 2);
    double[] expected = nll(2, 12, train, targets);
    int many = 600_000;
    List<Long> scanned = new ArrayList<>();
    try (SuffixOrder sorted = sorted(2, 12, train)) {
      KneserNey model = new KneserNey(2, 12, sorted, train.length);

      double[] nll = model.nll(many, target -> targets[target % targets.length], scanned::add);

      assertThat(KneserNey.numScanned(sorted, many)).isEqualTo(3 * 300);
      assertThat(scanned).containsExactly(0L, 300L, 600L);
      for (int i = 0; i < many; i += 997) {
        assertThat(nll[i]).isEqualTo(expected[i % targets.length]);
      }
    }
  }

  @Test
  void aSortThatIsStoppedReleasesItsMemory() {
    int[] train = generated(100, 12, 1);
    assertThatThrownBy(
            () ->
                new SuffixOrder(
                    3,
                    12,
                    TokenStream.of(train),
                    train.length,
                    allocator,
                    sorted -> {
                      throw new CancellationException("after " + sorted);
                    }))
        .hasMessage("after 100");
    assertThat(allocator.getAllocatedMemory()).isZero();
  }

  @Test
  void everyContextHasADistribution() {
    int[] train = generated(300, 6, 3);
    int[][] contexts = {{}, {2}, {0, 1}, {5, 5, 5}, {1, 2, 3}};
    for (int[] context : contexts) {
      int[][] targets =
          IntStream.range(0, 6)
              .mapToObj(
                  w -> {
                    int[] gram = Arrays.copyOf(context, context.length + 1);
                    gram[context.length] = w;
                    return gram;
                  })
              .toArray(int[][]::new);

      double sum = Arrays.stream(nll(4, 6, train, targets)).map(nll -> Math.exp(-nll)).sum();

      assertThat(sum).as(Arrays.toString(context)).isCloseTo(1, within(1e-12));
    }
  }
}
