package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import org.lengthwise.positional.Linear;

/**
 * A linear recurrence in chunks. Inside a chunk it computes products of matrices; from chunk to
 * chunk it carries the state. Rows are those of {@link Linear#rowWidth}.
 *
 * @param chunk the positions of a chunk; with 1 this is the recurrence step by step
 */
record LinearAttention(
    Linear scheme,
    AttentionKernels kernels,
    Attention.Tensors tensors,
    Attention.Pass pass,
    int chunk)
    implements SchemeAttention {

  @Override
  public NDArray attend(NDArray rows_BTE, int block, int level) {
    NDList inputs = new NDList();
    scheme
        .kernelTensors(pass.heads(), pass.width())
        .forEach(name -> inputs.add(tensors.get(name, block)));
    NDList states =
        pass.states().flatMap(kept -> kept.get(block)).orElseGet(() -> zeros(rows_BTE, block));
    inputs.addAll(states);
    NDList results =
        kernels.runOnList(
            "linear_" + scheme.member().kernel(),
            inputs,
            rows_BTE,
            kernels.scalar(pass.heads()),
            kernels.scalar(Math.min(chunk, pass.length())),
            kernels.scalar(scheme.negative() ? 2.0 : 1.0));
    NDArray out_BTd = results.remove(0);
    pass.states().ifPresent(kept -> kept.put(block, results));
    results.close();
    return out_BTd;
  }

  /** States of 0 in the format of the parameters. */
  private NDList zeros(NDArray rows_BTE, int block) {
    String any = scheme.kernelTensors(pass.heads(), pass.width()).get(0);
    NDList zeros = new NDList();
    for (long[] shape : scheme.state(pass.heads(), pass.width())) {
      Shape all = new Shape(rows_BTE.getShape().get(0)).addAll(new Shape(shape));
      zeros.add(rows_BTE.getManager().zeros(all, tensors.get(any, block).getDataType()));
    }
    return zeros;
  }

  /** Results depend on all rows, so a caller runs {@link #attend} and takes the last ones. */
  @Override
  public NDArray attendStrided(NDArray q_BSd, NDArray kv_BTg, int block) {
    throw new UnsupportedOperationException("a recurrence reads all rows");
  }

  /** Float32 copies of the rows, the numbers of chunks, and the states before each chunk. */
  static AttentionMemory.Kept kept(Linear scheme, AttentionMemory memory) {
    long vectors = Float.BYTES / memory.precision().bytes() * memory.vectorBytes(1);
    int width = memory.width();
    long rows = scheme.rowWidth(memory.heads(), width) * vectors / width;
    long state = new Shape(scheme.state(memory.heads(), width).get(0)).size();
    long states = vectors * 2 * state / ((long) width * scheme.chunk());
    long scores = vectors * 3 * scheme.chunk() * memory.heads() / width;
    long beside = // vectors of width d, measured in processes with four blocks of width 256
        switch (scheme.member()) {
          case PLAIN -> 2;
          case GLA -> 17;
          case MAMBA2 -> 15;
          case DELTANET -> 20;
          case GATED_DELTANET -> 34;
          case LRU -> 6;
        };
    return new AttentionMemory.Kept(2 * rows + beside * vectors + states + scores, 0);
  }
}
