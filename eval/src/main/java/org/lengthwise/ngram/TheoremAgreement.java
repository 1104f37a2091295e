package org.lengthwise.ngram;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lengthwise.ngram.TheoremTransformer.Theorem;

/**
 * How far the construction of a theorem agrees with the n-gram model of some texts, in doubles.
 *
 * @param histories the number of histories of the texts; each has a neuron
 * @param places the number of predictions: one before each symbol, and one at the end of each text
 * @param right the places at which only the neuron of the place's history has an output, and it is
 *     1
 * @param firstWrong the first other place
 * @param largestDifference the largest difference of a probability; 1 at a place without a neuron
 * @param smallestLead the smallest lead of the keys that a head must find over the next one, in
 *     scores
 */
public record TheoremAgreement(
    int histories,
    int places,
    int right,
    Optional<Place> firstWrong,
    double largestDifference,
    double smallestLead) {

  /**
   * A place of a prediction.
   *
   * @param text the number of the text, from 1
   * @param position the position that predicts, from 1; the first n - 1 are BOS
   */
  public record Place(int text, int position) {}

  /**
   * {@return the agreement on texts, with their relative frequencies as the n-gram model}
   *
   * @param n the order, at least 2
   * @param alphabet the number of symbols
   * @param texts symbols from 0 to the alphabet less 1
   */
  public static TheoremAgreement of(Theorem theorem, int n, int alphabet, List<int[]> texts) {
    Map<List<Integer>, double[]> model = frequencies(n, alphabet, texts);
    List<List<Integer>> histories = List.copyOf(model.keySet());
    Map<List<Integer>, Integer> numbers = new HashMap<>();
    histories.forEach(history -> numbers.put(history, numbers.size()));
    List<double[]> rows = List.copyOf(model.values());
    List<int[]> symbols =
        histories.stream()
            .map(history -> history.stream().mapToInt(Integer::intValue).toArray())
            .toList();
    TheoremTransformer transformer = new TheoremTransformer(theorem, n, alphabet);
    List<Place> wrong = new ArrayList<>();
    int places = 0;
    double largest = 0;
    for (int text = 0; text < texts.size(); text++) {
      List<double[]> bits = transformer.histories(texts.get(text));
      for (int t = 0; t < bits.size(); t++) {
        int fired = TheoremTransformer.fired(TheoremTransformer.neurons(bits.get(t), symbols));
        int own = Objects.requireNonNull(numbers.get(history(texts.get(text), t, n, alphabet)));
        if (fired != own) {
          wrong.add(new Place(text + 1, t + n - 1));
        }
        largest = Math.max(largest, fired < 0 ? 1 : difference(rows.get(fired), rows.get(own)));
        places++;
      }
    }
    return new TheoremAgreement(
        histories.size(),
        places,
        places - wrong.size(),
        wrong.stream().findFirst(),
        largest,
        transformer.smallestLead());
  }

  /** The relative frequency of each symbol, and of the end of a text, after each history. */
  private static Map<List<Integer>, double[]> frequencies(int n, int alphabet, List<int[]> texts) {
    Map<List<Integer>, double[]> counts = new LinkedHashMap<>();
    for (int[] text : texts) {
      for (int t = 0; t <= text.length; t++) {
        counts
            .computeIfAbsent(history(text, t, n, alphabet), history -> new double[alphabet + 1])[
            t < text.length ? text[t] : alphabet]++;
      }
    }
    for (double[] row : counts.values()) {
      double total = Arrays.stream(row).sum();
      Arrays.setAll(row, symbol -> row[symbol] / total);
    }
    return counts;
  }

  /** The n - 1 symbols before a place, the oldest first; BOS has the number of the alphabet. */
  private static List<Integer> history(int[] text, int t, int n, int alphabet) {
    return IntStream.range(t - (n - 1), t).mapToObj(i -> i < 0 ? alphabet : text[i]).toList();
  }

  /** The output matrix holds ln p. */
  private static double difference(double[] stored, double[] exact) {
    return IntStream.range(0, exact.length)
        .mapToDouble(symbol -> Math.abs(Math.exp(Math.log(stored[symbol])) - exact[symbol]))
        .max()
        .orElseThrow();
  }
}
