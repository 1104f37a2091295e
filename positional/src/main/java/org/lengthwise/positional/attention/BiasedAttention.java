package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lengthwise.positional.DistanceBias;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalParameter.Bounds;

/**
 * Attention to all earlier positions with a bias by distance.
 *
 * <p>If the bias is learned and the pass has gradients, all layers share one bias [1, H, T, T] in
 * float32. On a CPU this is small: each layer keeps the scores of every sequence anyway, and the
 * shared bias is as large as the scores of one sequence. On a GPU fused kernels keep no scores, so
 * the bias is the largest tensor of the pass if sequences are long and few. In all other passes the
 * bias is never stored for all pairs.
 *
 * @param kernels the kernels of the device
 * @param table_HT the bias by head and distance
 * @param learned_1HTT the bias of all pairs, if the pass computes its gradient
 * @param pass the shape of the pass
 */
record BiasedAttention(
    AttentionKernels kernels, NDArray table_HT, @Nullable NDArray learned_1HTT, Attention.Pass pass)
    implements SchemeAttention {

  static BiasedAttention of(AttentionKernels kernels, NDArray table_HT, Attention.Pass pass) {
    boolean learns = pass.withGradient() && table_HT.hasGradient();
    return new BiasedAttention(kernels, table_HT, learns ? kernels.bias(table_HT) : null, pass);
  }

  /** The table [H, T] of a scheme in one pass, float32. */
  static NDArray table(
      DistanceBias scheme,
      AttentionKernels kernels,
      Attention.Tensors tensors,
      Attention.Pass pass,
      NDManager manager) {
    Map<String, NDArray> bounded = new HashMap<>();
    for (PositionalParameter parameter :
        scheme.parameters(pass.heads(), pass.heads() * pass.headWidth())) {
      NDArray stored = tensors.get(parameter.name(), 0);
      NDArray within =
          parameter.bounds().equals(Bounds.NONE)
              ? stored.reshape(stored.getShape())
              : kernels.clamp(stored, parameter.bounds(), pass.withGradient());
      within.attach(manager); // a result belongs to its first operand's manager, here the weights'
      bounded.put(parameter.name(), within);
    }
    return scheme.table(
        new DistanceBias.TableInputs(
            pass.heads(),
            pass.headWidth(),
            pass.length(),
            manager,
            name -> Objects.requireNonNull(bounded.get(name), name)));
  }

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    return learned_1HTT == null
        ? kernels.denseInBlocks(qkv_BT3d, table_HT, pass.withGradient())
        : kernels.dense(qkv_BT3d, learned_1HTT);
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BT2d, int block) {
    return kernels.denseLast(q_B1d, kv_BT2d, table_HT);
  }

  /**
   * A learned bias and its gradient are kept once, in float32, and a GPU keeps the bias in bfloat16
   * in each layer too. A fixed bias is a view on a CPU, which keeps reversed queries, and is stored
   * in each layer on a GPU.
   */
  static AttentionMemory.Kept kept(DistanceBias scheme, AttentionMemory memory) {
    long bias = memory.biasBytes(AttentionKernels.QUERY_BLOCK);
    if (scheme.parameters(memory.heads(), memory.width()).isEmpty()) {
      return new AttentionMemory.Kept(
          (memory.isGpu() ? bias : memory.vectorBytes(1)) + memory.fusedBytes(), 0);
    }
    long attended =
        memory.isGpu() ? memory.fusedBytes() : memory.scoreBytes(AttentionKernels.QUERY_BLOCK);
    long allPairs = (long) memory.heads() * memory.length() * memory.length();
    return new AttentionMemory.Kept(
        (memory.isGpu() && memory.isBf16() ? bias : 0) + attended, 2 * Float.BYTES * allPairs);
  }
}
