package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.Optional;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rotary;
import org.lengthwise.positional.SlidingWindow;

/**
 * Attention of a scheme of one level that has kernels of its own: the same, whether all positions
 * count or the last one alone, whose last layer asks with one query.
 */
sealed interface SingleLevelAttention extends Attention, LastPositionAttention
    permits FireAttention, RotaryAttention, WindowAttention {

  /** The attention of a scheme, or empty if a bias by distance is all it has. */
  static Optional<SingleLevelAttention> of(
      PositionalScheme scheme,
      AttentionKernels kernels,
      BiasTensors tensors,
      Pass pass,
      NDManager manager) {
    if (scheme instanceof SlidingWindow sliding) {
      NDArray bias_HW = FixedTables.window(sliding, pass.heads(), manager);
      return Optional.of(new WindowAttention(kernels, bias_HW, pass));
    } else if (scheme instanceof Rotary rotary) {
      return Optional.of(new RotaryAttention(kernels, Rotations.of(rotary, pass, manager), pass));
    } else if (scheme instanceof Fire fire) {
      return Optional.of(new FireAttention(fire, kernels, tensors, pass));
    }
    return Optional.empty();
  }

  @Override
  default NDArray attend(NDArray qkv_BN3d, int block) {
    return attend(qkv_BN3d, block, 0);
  }

  @Override
  default int stride(int rows) {
    return rows;
  }
}
