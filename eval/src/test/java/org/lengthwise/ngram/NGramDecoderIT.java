package org.lengthwise.ngram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.generate.Scorer;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.model.ReferenceDecoder;
import org.lengthwise.model.Weights;
import org.lengthwise.ngram.NGramDecoder.Variant;
import org.lengthwise.positional.attention.Precision;

/** Models with computed weights against the n-gram models that they hold. */
class NGramDecoderIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20240616L);
  private static final List<String> TEXTS = List.of("abaab", "abb", "ba", "a", "aab", "");
  private static final int END = 2;

  private static NGramTable frequencies(int order) {
    List<Integer> stream = new ArrayList<>(List.of(END));
    for (String text : TEXTS) {
      text.chars().forEach(letter -> stream.add(letter - 'a'));
      stream.add(END);
    }
    int[] ids = stream.stream().mapToInt(i -> i).toArray();
    try (BufferAllocator allocator = new RootAllocator();
        SuffixOrder sorted = Streams.sorted(order, 3, ids, allocator)) {
      return NGramTable.maximumLikelihood(order, 3, sorted, END);
    }
  }

  private static NGramTable kneserNey(int order, int vocabulary, int[] ids) {
    try (BufferAllocator allocator = new RootAllocator();
        SuffixOrder sorted = Streams.sorted(order, vocabulary, ids, allocator)) {
      return NGramTable.kneserNey(order, vocabulary, sorted, scanned -> {});
    }
  }

  private static List<float[]> score(NGramDecoder decoder, List<int[]> texts) throws IOException {
    NGramDecoder.Tensors tensors = decoder.tensors();
    ModelConfig config = decoder.config();
    try (NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        Weights weights =
            Weights.of(config, name -> FloatBuffer.wrap(tensors.numbers(name)), Device.cpu());
        LanguageModel model = LanguageModel.of(config, weights, Precision.FLOAT32)) {
      Scorer scorer = new Scorer(model, manager);
      return texts.stream().map(scorer::score).toList();
    }
  }

  /** The decoder in plain doubles, with the float32 numbers of a checkpoint. */
  private static double[] reference(NGramDecoder decoder, int[] tokens) {
    NGramDecoder.Tensors tensors = decoder.tensors();
    Map<String, double[]> values = new HashMap<>();
    ParameterLayout.shapes(decoder.config())
        .keySet()
        .forEach(
            name -> {
              float[] numbers = tensors.numbers(name);
              values.put(
                  name, IntStream.range(0, numbers.length).mapToDouble(i -> numbers[i]).toArray());
            });
    return new ReferenceDecoder(decoder.config(), values).nll(tokens);
  }

  /** Every string of a and b up to a length, between two ends of text. */
  private static Stream<int[]> strings(int longest) {
    return IntStream.rangeClosed(0, longest)
        .boxed()
        .flatMap(
            length ->
                IntStream.range(0, 1 << length)
                    .mapToObj(
                        bits -> {
                          int[] tokens = new int[length + 2];
                          tokens[0] = END;
                          for (int i = 0; i < length; i++) {
                            tokens[i + 1] = bits >> i & 1;
                          }
                          tokens[length + 1] = END;
                          return tokens;
                        }));
  }

  /**
   * How often each symbol follows the last n - 1 tokens before a position, counted in the texts
   * with n - 1 ends of text before each.
   */
  private static long[] followers(int order, int[] tokens, int position) {
    String padding = "^".repeat(order - 1);
    String history = padding + text(tokens, 1, position);
    history = history.substring(history.length() - (order - 1));
    long[] counts = new long[3];
    for (String text : TEXTS) {
      String padded = padding + text + "$";
      for (int i = 0; i + order <= padded.length(); i++) {
        if (padded.startsWith(history, i)) {
          counts["ab$".indexOf(padded.charAt(i + order - 1))]++;
        }
      }
    }
    return counts;
  }

  private static String text(int[] tokens, int first, int end) {
    StringBuilder text = new StringBuilder();
    for (int i = first; i < end; i++) {
      text.append("ab$".charAt(tokens[i]));
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({"2,HEADS", "3,HEADS", "3,LAYERS", "4,HEADS", "4,LAYERS", "5,HEADS", "5,LAYERS"})
  void everyStringHasTheRelativeFrequenciesOfTheTexts(int order, Variant variant)
      throws IOException {
    NGramDecoder decoder = new NGramDecoder(frequencies(order), variant);
    int numCompared = 0;
    List<int[]> strings = strings(6).toList();
    List<float[]> nlls = score(decoder, strings);
    for (int i = 0; i < strings.size(); i++) {
      int[] tokens = strings.get(i);
      float[] nll = nlls.get(i);
      for (int position = 1; position < tokens.length; position++) {
        long[] counts = followers(order, tokens, position);
        long total = Arrays.stream(counts).sum();
        if (total > 0) {
          double p = (double) counts[tokens[position]] / total;
          String where = "%s before %s".formatted(text(tokens, 1, position), tokens[position]);
          if (p > 0) {
            assertThat(Math.exp(-nll[position - 1])).as(where).isCloseTo(p, within(2e-6));
          } else {
            assertThat(nll[position - 1]).as(where).isCloseTo(30, within(1e-3f));
          }
          numCompared++;
        }
      }
    }
    assertThat(numCompared).isGreaterThan(100);
  }

  private static long numNumbers(NGramDecoder decoder) {
    NGramDecoder.Tensors tensors = decoder.tensors();
    return ParameterLayout.shapes(decoder.config()).keySet().stream()
        .mapToLong(name -> tensors.numbers(name).length)
        .sum();
  }

  @ParameterizedTest
  @CsvSource({"2,5,HEADS", "3,12,HEADS", "3,12,LAYERS", "5,3,HEADS", "5,3,LAYERS", "17,2,HEADS"})
  void everyTokenHasTheLikelihoodOfKneserNey(int order, int vocabulary, Variant variant)
      throws IOException {
    Random random = new Random(SEED);
    int[] train = random.ints(600, 0, vocabulary).toArray();
    int[] test = random.ints(80, 0, vocabulary).toArray();
    NGramTable table = kneserNey(order, vocabulary, train);
    NGramDecoder decoder = new NGramDecoder(table, variant);
    assertThat(new NGramSizes(order, vocabulary, table.size() - 1, variant).numParameters())
        .isEqualTo(numNumbers(decoder));
    ReferenceKneserNey expected = new ReferenceKneserNey(order, vocabulary, train);

    float[] nll = score(decoder, List.of(test)).get(0);
    double[] inDoubles = reference(decoder, test);

    for (int i = order - 1; i < test.length; i++) {
      List<Integer> context = Arrays.stream(test, i - (order - 1), i).boxed().toList();
      double wanted = -Math.log(expected.probability(context, test[i]));
      assertThat((double) nll[i - 1])
          .as("position %d, seed %d", i, SEED)
          .isCloseTo(wanted, within(2e-5));
      assertThat(inDoubles[i - 1]).isCloseTo(wanted, within(5e-6));
    }
  }

  @ParameterizedTest
  @CsvSource({"3,HEADS", "5,LAYERS"})
  void aTokenHasTheSameLikelihoodAfterAnyNumberOfTokens(int order, Variant variant)
      throws IOException {
    Random random = new Random(SEED);
    NGramDecoder decoder =
        new NGramDecoder(kneserNey(order, 3, random.ints(600, 0, 3).toArray()), variant);
    int[] text = random.ints(10_000, 0, 3).toArray();
    int[] lengths = {text.length, 1000, 64, order};
    List<float[]> nlls =
        score(
            decoder,
            Arrays.stream(lengths)
                .mapToObj(length -> Arrays.copyOfRange(text, text.length - length, text.length))
                .toList());
    for (int i = 1; i < lengths.length; i++) {
      assertThat(nlls.get(i)[lengths[i] - 2]).isEqualTo(nlls.get(0)[text.length - 2]);
    }
  }
}
