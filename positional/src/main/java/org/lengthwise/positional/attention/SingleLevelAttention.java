package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.Learned;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rotary;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.SlidingWindow;

/**
 * Attention of a scheme of one level: the same, whether all positions count or the last one alone,
 * whose last layer asks with one query.
 */
sealed interface SingleLevelAttention extends Attention, LastPositionAttention
    permits BiasedAttention, FireAttention, RotaryAttention, UnbiasedAttention, WindowAttention {

  /** The attention of any scheme but RegularGPT. */
  static SingleLevelAttention of(
      PositionalScheme scheme,
      AttentionKernels kernels,
      PositionalTensors tensors,
      Pass pass,
      NDManager manager) {
    if (scheme instanceof SlidingWindow sliding) {
      return new WindowAttention(kernels, FixedTables.window(sliding, pass, manager), pass);
    } else if (scheme instanceof Rotary rotary) {
      return new RotaryAttention(kernels, Rotations.of(rotary, pass, manager), pass);
    } else if (scheme instanceof Fire fire) {
      return new FireAttention(fire, kernels, tensors, pass);
    } else if (addsNoBias(scheme)) {
      return new UnbiasedAttention(kernels, pass);
    }
    NDArray table_HT = new DistanceBias(kernels, tensors, manager).table(scheme, pass);
    return BiasedAttention.of(kernels, table_HT, pass);
  }

  /** Whether scores stay as they are: the scheme acts before attention, or not at all. */
  static boolean addsNoBias(PositionalScheme scheme) {
    return scheme instanceof NoPosition
        || scheme instanceof Sinusoidal
        || scheme instanceof Learned;
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
