package org.lengthwise.statistics;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.lengthwise.config.Checks;

/**
 * The principal components of points: the directions of the largest variance, at right angles.
 *
 * <p>Implementation note: Jacobi's method diagonalises the covariance. Each rotation sets one
 * off-diagonal number to 0; sweeps over all of them end when the rest is below rounding errors.
 * Source: Golub and Van Loan, "Matrix Computations", section 8.5.
 */
public final class PrincipalComponents {
  private static final int MOST_SWEEPS = 100;

  private final double[] centre;
  private final List<double[]> axes;
  private final double[] variances;

  private PrincipalComponents(double[] centre, List<double[]> axes, double[] variances) {
    this.centre = centre;
    this.axes = axes;
    this.variances = variances;
  }

  /**
   * {@return the d components of points, the one of the largest variance first} Each axis has the
   * sign that makes its largest number positive.
   *
   * @param points at least one point, all of width d
   */
  public static PrincipalComponents of(List<float[]> points) {
    Checks.atLeast("points", points.size(), 1);
    double[] centre = mean(points);
    double[][] covariance = covariance(points, centre);
    double[][] vectors = diagonalise(covariance);
    int[] order =
        IntStream.range(0, centre.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -covariance[i][i]))
            .mapToInt(Integer::intValue)
            .toArray();
    return new PrincipalComponents(
        centre,
        IntStream.of(order).mapToObj(i -> signed(vectors[i])).toList(),
        IntStream.of(order).mapToDouble(i -> Math.max(0, covariance[i][i])).toArray());
  }

  static double[] mean(List<float[]> points) {
    double[] mean = new double[points.get(0).length];
    for (float[] point : points) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += point[i] / (double) points.size();
      }
    }
    return mean;
  }

  private static double[][] covariance(List<float[]> points, double[] centre) {
    int width = centre.length;
    double[][] covariance = new double[width][width];
    double[] away = new double[width];
    for (float[] point : points) {
      for (int i = 0; i < width; i++) {
        away[i] = point[i] - centre[i];
      }
      for (int i = 0; i < width; i++) {
        for (int j = 0; j <= i; j++) {
          covariance[i][j] += away[i] * away[j] / points.size();
        }
      }
    }
    for (int i = 0; i < width; i++) {
      for (int j = 0; j < i; j++) {
        covariance[j][i] = covariance[i][j];
      }
    }
    return covariance;
  }

  /** Makes a symmetric matrix diagonal and returns its eigenvectors as rows. */
  private static double[][] diagonalise(double[][] a) {
    int width = a.length;
    double[][] vectors = new double[width][width];
    for (int i = 0; i < width; i++) {
      vectors[i][i] = 1;
    }
    double negligible = 1e-13 * IntStream.range(0, width).mapToDouble(i -> a[i][i]).sum();
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
      boolean changed = false;
      for (int p = 0; p < width; p++) {
        for (int q = p + 1; q < width; q++) {
          if (Math.abs(a[p][q]) > negligible) {
            rotate(a, vectors, p, q);
            changed = true;
          }
        }
      }
      if (!changed) {
        return vectors;
      }
    }
    throw new IllegalStateException("no principal components after " + MOST_SWEEPS + " sweeps");
  }

  /** The rotation in the plane of p and q that sets a[p][q] to 0. */
  private static void rotate(double[][] a, double[][] vectors, int p, int q) {
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double tangent = Math.copySign(1 / (Math.abs(theta) + Math.hypot(theta, 1)), theta);
    double cosine = 1 / Math.hypot(tangent, 1);
    double sine = tangent * cosine;
    turn(a[p], a[q], cosine, sine);
    for (double[] row : a) {
      double first = row[p];
      row[p] = cosine * first - sine * row[q];
      row[q] = sine * first + cosine * row[q];
    }
    turn(vectors[p], vectors[q], cosine, sine);
  }

  private static void turn(double[] p, double[] q, double cosine, double sine) {
    for (int i = 0; i < p.length; i++) {
      double first = p[i];
      p[i] = cosine * first - sine * q[i];
      q[i] = sine * first + cosine * q[i];
    }
  }

  private static double[] signed(double[] vector) {
    double largest = 0;
    for (double number : vector) {
      largest = Math.abs(number) > Math.abs(largest) ? number : largest;
    }
    double sign = Math.signum(largest);
    return IntStream.range(0, vector.length).mapToDouble(i -> sign * vector[i]).toArray();
  }

  /**
   * {@return the coordinate of a point along one axis, from the centre of all points}
   *
   * @param component from 0, the component of the largest variance
   */
  public double coordinate(float[] point, int component) {
    double[] axis = axes.get(component);
    return IntStream.range(0, axis.length).mapToDouble(i -> (point[i] - centre[i]) * axis[i]).sum();
  }

  /**
   * {@return the share of a component in the variance of the points, from 0 to 1; 0 if all points
   * are equal}
   *
   * @param component from 0, the component of the largest variance
   */
  public double share(int component) {
    double sum = IntStream.range(0, variances.length).mapToDouble(i -> variances[i]).sum();
    return sum == 0 ? 0 : variances[component] / sum;
  }
}
