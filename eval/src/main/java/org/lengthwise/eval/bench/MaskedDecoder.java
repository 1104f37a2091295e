package org.lengthwise.eval.bench;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.PlainKernels;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.positional.kernel.KernelModule;
import org.lengthwise.training.model.ModelConfig;
import org.lengthwise.training.model.Weights;

/** RegularGPT as one would write it down first: a T x T mask in every layer. */
final class MaskedDecoder implements AutoCloseable {
  /** A block's projections and LayerNorms, each a weight and a bias, in the kernels' order. */
  private static final List<String> BEFORE_ATTENTION = List.of("ln_1", "attn.c_attn");

  private static final List<String> AFTER_ATTENTION =
      List.of("attn.c_proj", "ln_2", "mlp.c_fc", "mlp.c_proj");

  private final RegularGpt scheme;
  private final List<BlockTensors> blocks;
  private final KernelModule kernels;
  private final AttentionKernels attention;

  /**
   * One distinct block.
   *
   * @param before the tensors that come before attention
   * @param r_HC the bias by head and step
   * @param after the tensors that come after it
   */
  private record BlockTensors(List<NDArray> before, NDArray r_HC, List<NDArray> after) {
    static BlockTensors of(Weights weights, int k) {
      String block = "transformer.h." + k + ".";
      return new BlockTensors(
          affine(weights, block, BEFORE_ATTENTION),
          weights.get(block + "attn.r"),
          affine(weights, block, AFTER_ATTENTION));
    }

    private static List<NDArray> affine(Weights weights, String block, List<String> names) {
      return names.stream()
          .flatMap(name -> Stream.of(name + ".weight", name + ".bias"))
          .map(name -> weights.get(block + name))
          .toList();
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
      NDArray qkv_BT3d = run("project", Stream.of(x_BTd), block.before());
      qkv_BT3d.attach(layer);
      NDArray attended_BTd =
          new PlainKernels(attention).masked(qkv_BT3d, block.r_HC(), dilation, false);
      return run("finish", Stream.of(x_BTd, attended_BTd), block.after());
    }
  }

  private NDArray run(String method, Stream<NDArray> inputs, List<NDArray> tensors) {
    NDArray[] all = Stream.concat(inputs, tensors.stream()).toArray(NDArray[]::new);
    return kernels.run(method, false, all).singletonOrThrow();
  }

  @Override
  public void close() {
    attention.close();
    kernels.close();
  }
}
