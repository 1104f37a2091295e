package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import java.util.function.IntFunction;
import org.lengthwise.positional.Cost;
import org.lengthwise.positional.DistanceBias;
import org.lengthwise.positional.Formula;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rotary;
import org.lengthwise.positional.RowScheme;

/**
 * Attention whose weights depend on rows. Queries attend in blocks, and the numbers of all pairs
 * exist for one block at a time.
 *
 * @param inner what the inner scheme adds to the kernel's inputs, by block of the model
 */
record RowAttention(
    RowScheme scheme,
    AttentionKernels kernels,
    Attention.Tensors tensors,
    IntFunction<NDList> inner,
    Attention.Pass pass)
    implements SchemeAttention {

  private static final int MOST_QUERIES = 128;

  static RowAttention of(RowScheme scheme, Factory in) {
    return new RowAttention(
        scheme, in.kernels(), in.tensors(), inner(scheme.inner(), in), in.pass());
  }

  /** The angles of a rotation, or the biases by head and distance [H, T]. */
  private static IntFunction<NDList> inner(PositionalScheme scheme, Factory in) {
    if (scheme instanceof Formula formula) {
      FormulaAttention attention = new FormulaAttention(formula, in);
      return block -> new NDList(attention.table(block));
    }
    NDList shared = new NDList();
    if (scheme instanceof Rotary rotary) {
      RotaryTable table = RotaryTable.of(rotary, in);
      shared.add(table.cos_TP());
      shared.add(table.sin_TP());
    } else if (scheme instanceof DistanceBias biased) {
      shared.add(BiasedAttention.table(biased, in));
    } else {
      shared.add(in.manager().zeros(new Shape(1))); // the kernel's list must not be empty
    }
    return block -> shared;
  }

  @Override
  public NDArray attend(NDArray qkv_BTg, int block, int level) {
    long sequences = qkv_BTg.getShape().get(0);
    int queries = queries(scheme, pass.heads(), pass.length(), sequences, kernels.isOnGpu());
    return attend(qkv_BTg, block, queries, "by_rows");
  }

  NDArray attendPlainly(NDArray qkv_BTg, int block) {
    return attend(qkv_BTg, block, pass.length(), "plain_by_rows");
  }

  /** {@link #attend} by a kernel, with a number of queries in a block. */
  NDArray attend(NDArray qkv_BTg, int block, int queries, String kernel) {
    return kernels.runWithList(
        kernel + '_' + scheme.rule().kernel(),
        inputs(block),
        qkv_BTg,
        kernels.scalar(pass.heads()),
        kernels.scalar(queries));
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BTg, int block) {
    return kernels.runWithList(
        "by_rows_last_" + scheme.rule().kernel(),
        inputs(block),
        q_B1d,
        kv_BTg,
        kernels.scalar(pass.heads()));
  }

  private NDList inputs(int block) {
    NDList inputs = new NDList();
    scheme.kernelTensors().forEach(name -> inputs.add(tensors.get(name, block)));
    inputs.addAll(inner.apply(block));
    return inputs;
  }

  private static int queries(
      RowScheme scheme, int heads, int length, long sequences, boolean isGpu) {
    long row = sequences * length * Math.max(1, scheme.cost(heads).numbersOfPair());
    return (int) Math.max(1, Math.min(MOST_QUERIES, Cost.numbersOfBlock(isGpu) / row));
  }

  /**
   * A layer keeps numbers of all pairs, and the queries, keys and values that they come from. A
   * fused kernel keeps the keys of each block instead, which have a few columns more. All numbers
   * are float32.
   */
  static AttentionMemory.Kept kept(RowScheme scheme, AttentionMemory memory) {
    int queries =
        queries(scheme, memory.heads(), memory.length(), memory.sequences(), memory.isGpu());
    long vectors = Float.BYTES / memory.precision().bytes() * memory.vectorBytes(1);
    long numbers = scheme.cost(memory.heads()).numbersOfPair();
    long blocks = (memory.length() + queries - 1L) / queries;
    long keys = numbers == 0 ? vectors * (blocks + 1) / 2 : 0;
    long pairs = Float.BYTES * memory.numPairs(queries) * memory.sequences() * numbers;
    return new AttentionMemory.Kept(pairs + 5 * vectors + keys, 0);
  }
}
