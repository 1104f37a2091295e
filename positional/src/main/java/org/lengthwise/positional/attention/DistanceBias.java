package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.Optional;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.BiasParameter.Bounds;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.KerplePower;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.T5;

/**
 * The bias of a dense scheme as a table [H, T] by head and distance: all there is to a bias that
 * depends on nothing else. Differentiable in the scheme's tensors.
 */
final class DistanceBias {
  private DistanceBias() {}

  /**
   * Computes the table.
   *
   * @param scheme a scheme that attends to every earlier position
   * @param tensors its learnable tensors
   * @param heads H
   * @param length T
   * @param manager the owner of the result
   * @return the table in float32, or empty if the scheme adds nothing
   * @throws IllegalArgumentException if the scheme is not dense
   */
  static Optional<NDArray> table(
      PositionalScheme scheme, BiasTensors tensors, int heads, int length, NDManager manager) {
    if (scheme instanceof NoPosition) {
      return Optional.empty();
    } else if (scheme instanceof Alibi) {
      return Optional.of(alibi(heads, length, manager));
    } else if (scheme instanceof KerpleLog) {
      return Optional.of(kerpleLog(tensors, length, manager));
    } else if (scheme instanceof KerplePower) {
      return Optional.of(kerplePower(tensors, length, manager));
    } else if (scheme instanceof T5) {
      return Optional.of(t5(tensors, length, manager));
    } else if (scheme instanceof RegularGpt) {
      throw new IllegalArgumentException("regulargpt is not dense: its windows slide");
    }
    throw new AssertionError("no table for " + scheme.label());
  }

  private static NDArray alibi(int heads, int length, NDManager manager) {
    double[] slopes = Alibi.slopes(heads);
    float[] negated = new float[heads];
    for (int h = 0; h < heads; h++) {
      negated[h] = (float) -slopes[h];
    }
    return manager.create(negated, new Shape(heads, 1)).mul(distances(length, manager));
  }

  private static NDArray kerpleLog(BiasTensors tensors, int length, NDManager manager) {
    NDArray p_H1 = column(tensors.get("p", 0), KerpleLog.BOUNDS, manager);
    NDArray a_H1 = column(tensors.get("a", 0), KerpleLog.BOUNDS, manager);
    return a_H1.mul(distances(length, manager)).add(1).log().mul(p_H1).neg();
  }

  private static NDArray kerplePower(BiasTensors tensors, int length, NDManager manager) {
    NDArray p_H1 = column(tensors.get("p", 0), KerplePower.EXPONENT_BOUNDS, manager);
    NDArray a_H1 = column(tensors.get("a", 0), KerplePower.FACTOR_BOUNDS, manager);
    return distances(length, manager).pow(p_H1).mul(a_H1).neg();
  }

  /** Picks buckets by a product with 0 and 1: exact, and its gradient is a product too. */
  private static NDArray t5(BiasTensors tensors, int length, NDManager manager) {
    float[] chosen = new float[T5.NUM_BUCKETS * length];
    for (int distance = 0; distance < length; distance++) {
      chosen[T5.bucket(distance) * length + distance] = 1;
    }
    NDArray buckets_NT = manager.create(chosen, new Shape(T5.NUM_BUCKETS, length));
    NDArray bias_HN = owned(tensors.get("bias", 0).transpose(), manager);
    return bias_HN.matMul(buckets_NT);
  }

  private static NDArray column(NDArray values_H, Bounds bounds, NDManager manager) {
    float high = (float) Math.min(bounds.high(), Float.MAX_VALUE);
    return owned(values_H.clip((float) bounds.low(), high), manager).reshape(-1, 1);
  }

  /** Results belong to their first operand's manager, here the weights', which outlive the pass. */
  private static NDArray owned(NDArray array, NDManager manager) {
    array.attach(manager);
    return array;
  }

  private static NDArray distances(int length, NDManager manager) {
    return manager.arange(0f, length, 1f, DataType.FLOAT32).reshape(1, length);
  }
}
