package org.lengthwise.statistics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lengthwise.config.Checks;

/**
 * How well given classes of points are apart, by Euclidean distances in all dimensions.
 *
 * @param nearest the share of points whose nearest class mean is that of their own class; where two
 *     class means are equally near, it is the share of the class that comes first
 * @param within the mean distance between a point and the mean of its class
 * @param between the mean distance between two class means; empty with one class
 */
public record Clusters(int numClasses, double nearest, double within, OptionalDouble between) {

  /**
   * {@return the distances within and between classes}
   *
   * @param points at least one point, all of one width
   */
  public static Clusters of(List<float[]> points, List<?> classes) {
    Checks.atLeast("points", points.size(), 1);
    Checks.require(
        points.size() == classes.size(), "classes", points.size() + " classes", classes.size());
    Map<?, List<float[]>> members =
        IntStream.range(0, points.size())
            .boxed()
            .collect(
                Collectors.groupingBy(
                    classes::get,
                    LinkedHashMap::new,
                    Collectors.mapping(points::get, Collectors.toList())));
    List<double[]> means = members.values().stream().map(PrincipalComponents::mean).toList();
    int numNearest = 0;
    double within = 0;
    int own = 0;
    for (List<float[]> ofClass : members.values()) {
      for (float[] point : ofClass) {
        double[] distances = means.stream().mapToDouble(mean -> distance(point, mean)).toArray();
        within += distances[own] / points.size();
        numNearest += first(distances) == own ? 1 : 0;
      }
      own++;
    }
    return new Clusters(means.size(), (double) numNearest / points.size(), within, between(means));
  }

  private static int first(double[] distances) {
    int least = 0;
    for (int i = 1; i < distances.length; i++) {
      least = distances[i] < distances[least] ? i : least;
    }
    return least;
  }

  private static OptionalDouble between(List<double[]> means) {
    return IntStream.range(0, means.size())
        .boxed()
        .flatMapToDouble(
            i -> IntStream.range(0, i).mapToDouble(j -> distance(means.get(i), means.get(j))))
        .average();
  }

  private static double distance(float[] point, double[] mean) {
    return Math.sqrt(
        IntStream.range(0, mean.length).mapToDouble(i -> square(point[i] - mean[i])).sum());
  }

  private static double distance(double[] one, double[] other) {
    return Math.sqrt(
        IntStream.range(0, one.length).mapToDouble(i -> square(one[i] - other[i])).sum());
  }

  private static double square(double number) {
    return number * number;
  }

  /**
   * {@return the mean distance within classes divided by the mean distance between class means, at
   * least 0; empty with one class, and if all class means are equal}
   */
  public OptionalDouble ratio() {
    return between.isPresent() && between.getAsDouble() > 0
        ? OptionalDouble.of(within / between.getAsDouble())
        : OptionalDouble.empty();
  }
}
