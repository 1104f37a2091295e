package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import org.lengthwise.kernel.EngineMemory;
import org.lengthwise.positional.Fire;

/**
 * Attention with FIRE's bias. The bias depends on query and distance, so a table by distance is not
 * enough. It differs between blocks of the model, so layers share nothing. Queries attend in
 * blocks; the bias and the network's hidden units are computed for one block of queries at a time.
 *
 * @param kernels the kernels of the tensors' device
 * @param pass the shape of the pass
 */
record FireAttention(
    Fire fire, AttentionKernels kernels, Attention.Tensors tensors, Attention.Pass pass)
    implements SchemeAttention {

  private static final int MOST_QUERIES = 256;

  /**
   * The largest number of hidden units of a block of queries: 16 MB. They exist twice, before and
   * after they are rectified.
   */
  private static final int MOST_HIDDEN = 1 << 22;

  /**
   * The tensors kept for each pair in addition to the hidden units: five steps from distance to
   * input.
   */
  private static final int STEPS_TO_INPUT = 5;

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    return attend("fire", qkv_BT3d, block);
  }

  /** Computes {@link #attend} with every score at once, for comparison. */
  NDArray attendPlainly(NDArray qkv_BT3d, int block) {
    return attend("plain_fire", qkv_BT3d, block);
  }

  private NDArray attend(String kernel, NDArray qkv_BT3d, int block) {
    try (NDManager scope = qkv_BT3d.getManager().newSubManager()) {
      NDList inputs = new NDList(qkv_BT3d);
      inputs.addAll(network(block, scope));
      inputs.add(kernels.scalar(queries(pass.length())));
      return kernels.run(kernel, inputs.toArray(NDArray[]::new));
    }
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BT2d, int block) {
    try (NDManager scope = q_B1d.getManager().newSubManager()) {
      NDList inputs = new NDList(q_B1d, kv_BT2d);
      inputs.addAll(network(block, scope));
      return kernels.run("fire_last", inputs.toArray(NDArray[]::new));
    }
  }

  /** FIRE's tensors: c, L, then weight and bias of both layers. */
  private NDList network(int block, NDManager scope) {
    return new NDList(
        bounded("fire.c", block, scope),
        bounded("fire.l", block, scope).mul(EngineMemory.scalar(scope, (float) fire.threshold())),
        tensors.get("fire.c_fc.weight", block),
        tensors.get("fire.c_fc.bias", block),
        tensors.get("fire.c_proj.weight", block),
        tensors.get("fire.c_proj.bias", block));
  }

  private NDArray bounded(String name, int block, NDManager scope) {
    NDArray value = kernels.clamp(tensors.get(name, block), Fire.BOUNDS);
    value.attach(scope); // a result belongs to its first operand's manager, here the weights'
    return value;
  }

  /** The number of queries in a block at a length. */
  static int queries(int length) {
    return Math.max(1, Math.min(MOST_QUERIES, MOST_HIDDEN / (Fire.HIDDEN * length)));
  }

  /** Each layer keeps its network's numbers in float32, and a GPU its bias too. */
  static AttentionMemory.Kept kept(AttentionMemory memory) {
    int queries = queries(memory.length());
    long network = Float.BYTES * memory.numPairs(queries) * (Fire.HIDDEN + STEPS_TO_INPUT);
    long attended =
        memory.isGpu()
            ? memory.biasBytes(queries) + memory.fusedBytes()
            : memory.scoreBytes(queries);
    return new AttentionMemory.Kept(network + attended, 0);
  }
}
