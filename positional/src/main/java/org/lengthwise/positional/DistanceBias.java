package org.lengthwise.positional;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import org.lengthwise.kernel.EngineMemory;

/**
 * A scheme that adds a bias by head and distance to every score, a table [H, T]. All blocks share
 * it, so its learnable numbers have the scope {@link PositionalParameter.Scope#MODEL}.
 */
public sealed interface DistanceBias extends PositionalScheme permits Alibi, Kerple, Sandwich, T5 {

  /** {@return the reference bias, in plain doubles, at a distance m - n of at least 0} */
  double bias(PositionalValues values, int head, long distance);

  /**
   * {@return the same bias at all distances, on tensors, [H, T], float32, differentiable in the
   * scheme's learnable tensors}
   */
  NDArray table(TableInputs inputs);

  @Override
  default double bias(PositionalValues values, int head, int level, long query, long distance) {
    return bias(values, head, distance);
  }

  @Override
  default <R> R accept(AttentionForm<R> form) {
    return form.byDistance(this);
  }

  /**
   * The inputs of a table. The tensors belong to one forward pass and are closed with it. Those of
   * a scheme without learnable numbers belong to all passes of a shape.
   *
   * @param heads H
   * @param headWidth D
   * @param length T; the distances are 0..T-1
   * @param manager the owner of the table and of all intermediate tensors
   * @param fixed keeps a tensor for later passes, for a scheme with learnable numbers
   * @param parameters the scheme's learnable tensors by short name, within their bounds
   */
  record TableInputs(
      int heads,
      int headWidth,
      int length,
      NDManager manager,
      Fixed fixed,
      Function<String, NDArray> parameters) {

    @FunctionalInterface
    public interface Fixed {

      /**
       * {@return a tensor that depends on the scheme and the shape of the pass only, made once for
       * a shape} A result belongs to the manager of its first operand. So put a parameter first, or
       * attach the result to the manager of this pass, else each pass leaks a tensor.
       *
       * @param make makes the tensor from the owner of all its intermediate tensors
       */
      NDArray of(Function<NDManager, NDArray> make);
    }

    NDArray parameter(String name) {
      return parameters.apply(name);
    }

    /** The distances 0..T-1 as a row [1, T], float32. */
    NDArray distances(NDManager owner) {
      return owner.arange(0f, length, 1f, DataType.FLOAT32).reshape(1, length);
    }

    NDArray number(float value) {
      return EngineMemory.scalar(manager, value);
    }

    /** Fixed numbers, one for each head h in 0..H-1, as a column [H, 1], float32. */
    NDArray byHead(NDManager owner, IntToDoubleFunction numbers) {
      float[] values = new float[heads];
      for (int h = 0; h < heads; h++) {
        values[h] = (float) numbers.applyAsDouble(h);
      }
      return tensor(owner, values, heads, 1);
    }

    /** Fixed numbers, row-major, as a tensor of a shape, float32. */
    static NDArray tensor(NDManager owner, float[] values, long... shape) {
      return EngineMemory.tensor(owner, values, new Shape(shape));
    }
  }
}
