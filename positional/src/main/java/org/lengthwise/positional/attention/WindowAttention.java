package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import org.lengthwise.kernel.EngineMemory;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.LayerWindow;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;

/**
 * Attention to the latest W positions, or to the query's own chunk of C positions.
 *
 * @param bias_HW the bias by head and distance, for at most W or C distances
 * @param isFlat whether the bias is 0 within the window
 * @param chunks whether keys lie in chunks
 */
record WindowAttention(
    AttentionKernels kernels, NDArray bias_HW, boolean isFlat, boolean chunks, Attention.Pass pass)
    implements SchemeAttention {

  static WindowAttention of(SlidingWindow scheme, AttentionKernels kernels, Attention.Pass pass) {
    NDArray bias_HW = kernels.fixed(scheme, pass, owner -> bias(scheme, pass, owner));
    boolean isFlat = scheme.within() != Within.ALIBI;
    return new WindowAttention(kernels, bias_HW, isFlat, scheme.reach().chunks(), pass);
  }

  /** The bias within a window [H, min(W, T)], computed in doubles and stored in float32. */
  private static NDArray bias(SlidingWindow scheme, Attention.Pass pass, NDManager manager) {
    int window = Math.min(scheme.reach().positions(), pass.length());
    double[] slopes = Alibi.slopes(pass.heads());
    float[] bias = new float[Math.multiplyExact(pass.heads(), window)];
    if (scheme.within() == Within.ALIBI) {
      for (int i = 0; i < bias.length; i++) {
        bias[i] = (float) (-slopes[i / window] * (i % window));
      }
    }
    return EngineMemory.tensor(manager, bias, new Shape(pass.heads(), window));
  }

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    if (chunks) {
      NDArray queries = kernels.scalar(AttentionKernels.QUERY_BLOCK);
      return kernels.run("chunked", qkv_BT3d, bias_HW, kernels.scalar(isFlat), queries);
    }
    return isFlat && kernels.hasWindows() && pass.headWidth() % 8 == 0
        ? kernels.run(
            "windowed", qkv_BT3d, kernels.scalar(pass.heads()), kernels.scalar(mostKeys()))
        : kernels.banded(qkv_BT3d, bias_HW, 1);
  }

  NDArray attendPlainly(NDArray qkv_BT3d) {
    return chunks
        ? kernels.run("plain_chunked", qkv_BT3d, bias_HW)
        : kernels.plain(qkv_BT3d, bias_HW, 1);
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BT2d, int block) {
    try (NDArray kv_BW2d = keys(kv_BT2d)) {
      return kernels.slidingLast(q_B1d, kv_BW2d, bias_HW);
    }
  }

  /** Keys and values of the last query, a view. The first row begins a chunk. */
  NDArray keys(NDArray kv_BT2d) {
    LayerWindow window = new LayerWindow(Math.toIntExact(mostKeys()), 0, chunks);
    long last = kv_BT2d.getShape().get(1) - 1;
    return kv_BT2d.get(new NDIndex(":, {}:", window.firstKey(0, last)));
  }

  private long mostKeys() {
    return bias_HW.getShape().get(1);
  }

  static AttentionMemory.Kept kept(SlidingWindow scheme, AttentionMemory memory) {
    return new AttentionMemory.Kept(memory.windowBytes(scheme.reach()), 0);
  }
}
