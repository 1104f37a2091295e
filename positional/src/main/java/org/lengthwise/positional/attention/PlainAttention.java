package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rotary;
import org.lengthwise.positional.SlidingWindow;

/**
 * Attention of every scheme as one would write it down first: a bias of all pairs [1, H, T, T] is
 * laid out in each layer, and every score is made, also those of forbidden keys. Slow on purpose,
 * to hold {@link Attention#begin} against.
 */
public final class PlainAttention {
  private PlainAttention() {}

  /**
   * Prepares attention for a forward pass.
   *
   * @param scheme the positional scheme
   * @param kernels the kernels of the device
   * @param tensors the scheme's learnable tensors
   * @param pass the shape of the pass
   * @param manager the owner of what the layers share; the attention is of no use after its close
   * @return the attention of this pass
   */
  public static Attention begin(
      PositionalScheme scheme,
      AttentionKernels kernels,
      PositionalTensors tensors,
      Attention.Pass pass,
      NDManager manager) {
    boolean recordsGradient = pass.recordsGradient();
    PlainKernels plain = new PlainKernels(kernels);
    if (scheme instanceof RegularGpt regular) {
      return (qkv_BT3d, block, level) ->
          plain.attend(qkv_BT3d, tensors.get("r", block), regular.dilation(level), recordsGradient);
    } else if (scheme instanceof Rotary rotary) {
      Rotations rotations = Rotations.of(rotary, pass, manager);
      return (qkv_BT3d, block, level) ->
          plain.rotary(qkv_BT3d, pass.heads(), rotations, recordsGradient);
    } else if (scheme instanceof Fire fire) {
      FireAttention attention = new FireAttention(fire, kernels, tensors, pass);
      return (qkv_BT3d, block, level) -> attention.attendPlainly(qkv_BT3d, block);
    }
    NDArray table_HN = table(scheme, kernels, tensors, pass, manager);
    return (qkv_BT3d, block, level) -> plain.attend(qkv_BT3d, table_HN, 1, recordsGradient);
  }

  /** The bias by distance, as far as keys are attended to. */
  private static NDArray table(
      PositionalScheme scheme,
      AttentionKernels kernels,
      PositionalTensors tensors,
      Attention.Pass pass,
      NDManager manager) {
    if (scheme instanceof SlidingWindow sliding) {
      return FixedTables.window(sliding, pass, manager);
    }
    return SingleLevelAttention.addsNoBias(scheme)
        ? manager.zeros(new Shape(pass.heads(), pass.length()))
        : new DistanceBias(kernels, tensors, manager).table(scheme, pass);
  }
}
