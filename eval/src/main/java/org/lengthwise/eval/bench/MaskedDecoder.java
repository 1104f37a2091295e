package org.lengthwise.eval.bench;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.positional.kernel.KernelModule;
import org.lengthwise.training.model.ModelConfig;
import org.lengthwise.training.model.Weights;

/** RegularGPT as one would write it down first: a T x T mask in every layer. */
final class MaskedDecoder implements AutoCloseable {
  private static final int NUM_TENSORS = 12;

  /** The tensors of a block that come before attention. */
  private static final int NUM_PROJECTING = 4;

  private final RegularGpt scheme;
  private final List<BlockTensors> blocks;
  private final KernelModule kernels;
  private final AttentionKernels attention;

  /**
   * One distinct block.
   *
   * @param tensors in layout order
   * @param r_HC the bias by head and step
   */
  private record BlockTensors(List<NDArray> tensors, NDArray r_HC) {
    static BlockTensors of(Weights weights, int k) {
      int first = 1 + NUM_TENSORS * k; // after the embedding
      return new BlockTensors(
          weights.layout().subList(first, first + NUM_TENSORS).stream()
              .map(spec -> weights.get(spec.name()))
              .toList(),
          weights.get("transformer.h." + k + ".attn.r"));
    }
  }

  /**
   * A model over weights that the caller keeps and closes.
   *
   * @param config the model's shape, whose scheme is RegularGPT
   * @param weights its tensors
   * @param precision the format of attention's products; those of the other layers are float32
   */
  MaskedDecoder(ModelConfig config, Weights weights, Precision precision) {
    this.scheme = (RegularGpt) config.position();
    this.blocks =
        IntStream.range(0, config.layers()).mapToObj(k -> BlockTensors.of(weights, k)).toList();
    this.kernels = KernelModule.load(MaskedDecoder.class, "decoder.py", weights.device());
    this.attention = new AttentionKernels(weights.device(), precision);
  }

  /**
   * Runs all executed layers, without gradients.
   *
   * @param embedded_BTd token embeddings; they stay open
   * @return the residual stream [B, T, d] before the final LayerNorm
   */
  NDArray hidden(NDArray embedded_BTd) {
    NDArray x_BTd = embedded_BTd;
    for (int level = 0; level < scheme.levels(embedded_BTd.getShape().get(1)); level++) {
      for (BlockTensors block : blocks) {
        NDArray y_BTd = forward(x_BTd, block, scheme.dilation(level));
        if (x_BTd != embedded_BTd) {
          x_BTd.close();
        }
        x_BTd = y_BTd;
      }
    }
    return x_BTd;
  }

  private NDArray forward(NDArray x_BTd, BlockTensors block, long dilation) {
    NDManager owner = x_BTd.getManager();
    try (NDManager layer = owner.newSubManager()) {
      Stream<NDArray> before = block.tensors().stream().limit(NUM_PROJECTING);
      NDArray qkv_BT3d = run("project", Stream.concat(Stream.of(x_BTd), before));
      qkv_BT3d.attach(layer);
      NDArray attended_BTd = attention.masked(qkv_BT3d, block.r_HC(), dilation, false);
      Stream<NDArray> after = block.tensors().stream().skip(NUM_PROJECTING);
      return run("finish", Stream.concat(Stream.of(x_BTd, attended_BTd), after));
    }
  }

  private NDArray run(String method, Stream<NDArray> inputs) {
    return kernels.run(method, false, inputs.toArray(NDArray[]::new)).singletonOrThrow();
  }

  @Override
  public void close() {
    attention.close();
    kernels.close();
  }
}
