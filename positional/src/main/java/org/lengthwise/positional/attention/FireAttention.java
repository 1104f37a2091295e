package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.kernel.EngineMemory;

/**
 * Attention with FIRE's bias. It depends on query and distance and differs between blocks, so no
 * table by distance serves, and nothing is shared by layers: a block of queries has its bias laid
 * out, and its network's hidden units, while it attends.
 *
 * @param fire the scheme
 * @param kernels the kernels of the tensors' device
 * @param tensors the scheme's learnable tensors
 * @param pass the shape of the pass
 */
record FireAttention(
    Fire fire, AttentionKernels kernels, PositionalTensors tensors, Attention.Pass pass)
    implements SingleLevelAttention {

  /**
   * The queries of a block, and the hidden units that they may have, in numbers: 16 MB, and as much
   * again before they are rectified.
   */
  private static final int MOST_QUERIES = 256;

  private static final int HIDDEN_LIMIT = 1 << 22;

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    try (NDManager made = qkv_BT3d.getManager().newSubManager()) {
      NDList network = network(block, made);
      return kernels.fire(qkv_BT3d, network, queries(pass.length()), pass.recordsGradient());
    }
  }

  /** The same with every score at once, to hold {@link #attend} against. */
  NDArray attendPlainly(NDArray qkv_BT3d, int block) {
    try (NDManager made = qkv_BT3d.getManager().newSubManager()) {
      NDList network = network(block, made);
      return new PlainKernels(kernels)
          .fire(qkv_BT3d, network, queries(pass.length()), pass.recordsGradient());
    }
  }

  @Override
  public NDArray attendSome(NDArray q_B1d, NDArray kv_BT2d, int block) {
    try (NDManager made = q_B1d.getManager().newSubManager()) {
      return kernels.fireLast(q_B1d, kv_BT2d, network(block, made));
    }
  }

  private NDList network(int block, NDManager made) {
    return new NDList(
        bounded("fire.c", block, made),
        bounded("fire.l", block, made).mul(EngineMemory.scalar(made, (float) fire.threshold())),
        tensors.get("fire.c_fc.weight", block),
        tensors.get("fire.c_fc.bias", block),
        tensors.get("fire.c_proj.weight", block),
        tensors.get("fire.c_proj.bias", block));
  }

  private NDArray bounded(String name, int block, NDManager made) {
    NDArray value = kernels.clamp(tensors.get(name, block), Fire.BOUNDS, pass.recordsGradient());
    value.attach(made); // results belong to their first operand's manager, here the weights'
    return value;
  }

  /** The queries of a block at a length. */
  static int queries(int length) {
    return Math.max(1, Math.min(MOST_QUERIES, HIDDEN_LIMIT / (Fire.HIDDEN * length)));
  }
}
