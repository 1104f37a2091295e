package org.lengthwise.statistics;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The place of the rises of one run and seed: whether the k largest of its m changes between
 * neighbouring lengths are exactly the k predicted ones.
 *
 * <p>If the changes are exchangeable, each choice of k changes is equally likely to be the largest
 * ones. So the predicted ones are the largest with the probability k! (m - k)! / m!.
 *
 * @param changes the m changes in the order of the lengths, in nats
 * @param predicted the indices of the k changes where a rise is predicted, {@code 0 < k < m}
 */
public record RisePlace(List<Double> changes, Set<Integer> predicted) {
  public RisePlace {
    changes = List.copyOf(changes);
    predicted = Set.copyOf(predicted);
    int size = changes.size();
    if (predicted.isEmpty()
        || predicted.size() >= size
        || predicted.stream().anyMatch(i -> i < 0 || i >= size)) {
      throw new IllegalArgumentException(
          "expected some of %s changes, found %s".formatted(size, predicted));
    }
  }

  /**
   * {@return the indices of the k largest changes, in rising order} A rise is larger than a fall.
   * Of equal changes the first one counts.
   */
  public Set<Integer> largest() {
    return IntStream.range(0, changes.size())
        .boxed()
        .sorted(Comparator.comparing(changes::get, Comparator.reverseOrder()))
        .limit(predicted.size())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** {@return whether every predicted change is larger than every other one} */
  public boolean isAsPredicted() {
    double smallest = predicted.stream().mapToDouble(changes::get).min().orElseThrow();
    return IntStream.range(0, changes.size())
        .filter(i -> !predicted.contains(i))
        .allMatch(i -> changes.get(i) < smallest);
  }

  /** {@return k! (m - k)! / m!, the probability of the predicted changes by chance} */
  public double chance() {
    int others = changes.size() - predicted.size();
    return IntStream.rangeClosed(1, predicted.size())
        .mapToDouble(i -> (double) i / (others + i))
        .reduce(1, (one, other) -> one * other);
  }

  /**
   * {@return the probability that at least as many runs and seeds as here are as predicted by
   * chance; 1 if none is as predicted} If all are, this is the product of their chances.
   */
  public static double chance(List<RisePlace> places) {
    double[] numHits = new double[places.size() + 1]; // the probability of each number
    numHits[0] = 1;
    for (RisePlace place : places) {
      double chance = place.chance();
      for (int hits = places.size(); hits > 0; hits--) {
        numHits[hits] = numHits[hits] * (1 - chance) + numHits[hits - 1] * chance;
      }
      numHits[0] *= 1 - chance;
    }
    int found = (int) places.stream().filter(RisePlace::isAsPredicted).count();
    return found == 0 ? 1 : Arrays.stream(numHits, found, numHits.length).sum();
  }
}
