package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Kerple;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Sandwich;
import org.lengthwise.positional.T5;
import org.lengthwise.positional.kernel.EngineMemory;

/**
 * The bias of a dense scheme as a table [H, T] by head and distance: all there is to a bias that
 * depends on nothing else. Differentiable in the scheme's tensors.
 *
 * @param kernels the kernels of the tensors' device
 * @param tensors the scheme's learnable tensors
 * @param manager the owner of the table and of everything made on the way to it
 */
record DistanceBias(AttentionKernels kernels, PositionalTensors tensors, NDManager manager) {

  /**
   * Computes the table.
   *
   * @param scheme a scheme that adds such a bias
   * @param pass the shape of the pass
   * @return the table in float32
   */
  NDArray table(PositionalScheme scheme, Attention.Pass pass) {
    int length = pass.length();
    if (scheme instanceof Alibi) {
      return alibi(pass.heads(), length);
    } else if (scheme instanceof Kerple kerple) {
      return kerple(kerple, length, pass.recordsGradient());
    } else if (scheme instanceof T5) {
      return t5(length);
    } else if (scheme instanceof Sandwich sandwich) {
      return FixedTables.sandwich(sandwich, pass, manager);
    }
    throw new AssertionError("no bias by distance for " + scheme.label());
  }

  private NDArray alibi(int heads, int length) {
    return FixedTables.negatedSlopes(heads, manager).mul(distances(length));
  }

  private NDArray kerple(Kerple kerple, int length, boolean recordsGradient) {
    NDArray p_H1 = column("p", kerple.boundsOfP(), recordsGradient);
    NDArray a_H1 = column("a", Kerple.FACTOR_BOUNDS, recordsGradient);
    return kerple instanceof KerpleLog
        ? a_H1.mul(distances(length)).add(1).log().mul(p_H1).neg()
        : distances(length).pow(p_H1).mul(a_H1).neg();
  }

  /** Picks buckets by a product with 0 and 1: exact, and its gradient is a product too. */
  private NDArray t5(int length) {
    float[] chosen = new float[T5.NUM_BUCKETS * length];
    for (int distance = 0; distance < length; distance++) {
      chosen[T5.bucket(distance) * length + distance] = 1;
    }
    NDArray buckets_NT = EngineMemory.tensor(manager, chosen, new Shape(T5.NUM_BUCKETS, length));
    NDArray bias_HN = owned(tensors.get("bias", 0).transpose());
    return bias_HN.matMul(buckets_NT);
  }

  private NDArray column(String name, Bounds bounds, boolean recordsGradient) {
    NDArray values_H = tensors.get(name, 0);
    return owned(kernels.clamp(values_H, bounds, recordsGradient)).reshape(-1, 1);
  }

  /** Results belong to their first operand's manager, here the weights', which outlive the pass. */
  private NDArray owned(NDArray array) {
    array.attach(manager);
    return array;
  }

  private NDArray distances(int length) {
    return manager.arange(0f, length, 1f, DataType.FLOAT32).reshape(1, length);
  }
}
