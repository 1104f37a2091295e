package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lengthwise.kernel.EngineMemory;
import org.lengthwise.positional.PositionAngles;
import org.lengthwise.positional.PositionSample;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.TransformerXl;

/**
 * Attention with the scores of Transformer-XL. The products of a block of queries with all
 * distances are computed as one matrix. Each query reads its own part of a row, so no distance is
 * computed for each pair.
 *
 * @param kernels the kernels of the device
 * @param sines_Nd the sines and cosines of the distances from T - 1 down, float32, which all layers
 *     share
 * @param pass the shape of the pass
 */
record ContentAttention(
    AttentionKernels kernels, Attention.Tensors tensors, NDArray sines_Nd, Attention.Pass pass)
    implements SchemeAttention {

  static ContentAttention of(
      TransformerXl scheme,
      AttentionKernels kernels,
      Attention.Tensors tensors,
      Attention.Pass pass,
      NDManager manager) {
    NDArray all_Nd = kernels.fixed(scheme, pass, owner -> sines(pass, owner));
    Optional<int[]> places = pass.sample().map(it -> rows(it, numRows(pass, pass.length())));
    NDArray sines_Nd = kernels.select(all_Nd, 0, places, manager);
    return new ContentAttention(kernels, tensors, sines_Nd, pass);
  }

  /** The rows of the sampled distances from T - 1 down, and then those of later keys. */
  private static int[] rows(PositionSample sample, int numRows) {
    int[] numbers = sample.numbers();
    return IntStream.range(0, numRows)
        .map(row -> numbers.length - 1 - row)
        .map(distance -> sample.range() - 1 - (distance < 0 ? distance : numbers[distance]))
        .toArray();
  }

  private static int numRows(Attention.Pass pass, int length) {
    return length + (pass.causal() ? Math.min(length, AttentionKernels.QUERY_BLOCK) : length);
  }

  /**
   * The distances of a causal pass end at those within a block of queries, where the result of a
   * later key is discarded.
   */
  private static NDArray sines(Attention.Pass pass, NDManager owner) {
    int width = pass.width();
    int length = pass.range();
    int rows = numRows(pass, length);
    PositionAngles angles =
        new PositionAngles(Sinusoidal.frequencies(width), 1, (long) length - rows);
    float[] sines = new float[Math.multiplyExact(rows, width)];
    for (int row = rows - 1; row >= 0; row--) {
      for (int i = 0; i < width / 2; i++) {
        sines[row * width + i] = (float) angles.sin(i);
        sines[row * width + width / 2 + i] = (float) angles.cos(i);
      }
      angles.advance();
    }
    return EngineMemory.tensor(owner, sines, new Shape(rows, width));
  }

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    return attend("by_content", qkv_BT3d, block);
  }

  /** Computes {@link #attend} with every score at once, for comparison. */
  NDArray attendPlainly(NDArray qkv_BT3d, int block) {
    return attend("plain_by_content", qkv_BT3d, block);
  }

  private NDArray attend(String kernel, NDArray qkv_BT3d, int block) {
    return kernels.run(
        kernel,
        qkv_BT3d,
        tensors.get("u", block),
        tensors.get("v", block),
        tensors.get("c_r.weight", block),
        sines_Nd,
        kernels.scalar(AttentionKernels.QUERY_BLOCK),
        kernels.scalar(pass.causal()));
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BT2d, int block) {
    return kernels.run(
        "by_content_last",
        q_B1d,
        kv_BT2d,
        tensors.get("u", block),
        tensors.get("v", block),
        tensors.get("c_r.weight", block),
        sines_Nd);
  }

  /** Scores are kept, and queries with u and v. */
  static AttentionMemory.Kept kept(AttentionMemory memory) {
    return new AttentionMemory.Kept(
        memory.vectorBytes(2) + memory.scoreBytes(AttentionKernels.QUERY_BLOCK), 0);
  }
}
