package org.lengthwise.model;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.safetensors.FloatFormat;

/**
 * The decoder's fused operators on one device. Inputs and results are float32, except the residual
 * stream in training; products run in the precision given at construction. Results belong to the
 * first input's manager.
 */
final class DecoderKernels implements AutoCloseable {
  /** The rows of logits that are computed together are a multiple of this number, if possible. */
  private static final int ROWS_MULTIPLE = 128;

  /** libtorch's codes of the formats. */
  private static final Map<FloatFormat, Integer> CODES =
      Map.of(FloatFormat.F32, 6, FloatFormat.F16, 5, FloatFormat.BF16, 15);

  private final KernelModule module;
  private final Numerics numerics;
  private final long mostLogits;
  private final @Nullable Dropout dropout;

  DecoderKernels(DecoderForm form, Device device, Numerics numerics) {
    this(
        form,
        device,
        numerics,
        LanguageModel.mostLogits(device.isGpu()),
        KernelModule.Target.of(device));
  }

  /** Kernels with the memory layouts of a target, which may differ from the device in tests. */
  DecoderKernels(
      DecoderForm form,
      Device device,
      Numerics numerics,
      long mostLogits,
      KernelModule.Target target) {
    String source =
        KernelModule.source(DecoderKernels.class, "decoder.py") + FormKernels.source(form);
    this.module = KernelModule.load(source, device, target.withBf16(numerics.isBf16()), false);
    this.numerics = numerics;
    this.mostLogits = mostLogits;
    this.dropout = null;
  }

  private DecoderKernels(DecoderKernels other, KernelModule module, @Nullable Dropout dropout) {
    this.module = module;
    this.numerics = other.numerics;
    this.mostLogits = other.mostLogits;
    this.dropout = dropout;
  }

  /**
   * These kernels with a graph of each result for a backward pass. Both share everything, so only
   * one of them is closed.
   */
  DecoderKernels withGradient() {
    return new DecoderKernels(this, module.withGradient(), dropout);
  }

  /** These kernels with dropout in results that have a graph. Both share everything. */
  DecoderKernels withDropout(Dropout masks) {
    return new DecoderKernels(this, module, masks);
  }

  /** Embeddings [B, T, e] after dropout. */
  NDArray dropped(NDArray x_BTe) {
    return module.run("dropped", x_BTe, drop(x_BTe));
  }

  /** Whether results have dropout. */
  boolean hasDropout() {
    return dropout != null && hasGradient();
  }

  /** What {@code dropped} zeroes of rows [B, ...]; a scalar for nothing. */
  private NDArray drop(NDArray x_B) {
    return dropout == null || !hasGradient()
        ? module.scalar(0L)
        : dropout.next(x_B.getShape().get(0), x_B.getManager());
  }

  /** Whether results have a graph for a backward pass. */
  boolean hasGradient() {
    return module.hasGradient();
  }

  /** A matrix of any numbers in a format, with the columns and the device of another one. */
  NDArray matrix(NDArray x_nc, long rows, FloatFormat format) {
    long code = Objects.requireNonNull(CODES.get(format));
    return module.run("matrix", x_nc, module.scalar(rows), module.scalar(code));
  }

  /** Writes rows of a matrix from one on. The result is the matrix. */
  NDArray setRows(NDArray matrix, NDArray rows_nc, long first) {
    return module.run("set_rows", matrix, rows_nc, module.scalar(first));
  }

  /** Looks tokens [B, T] up in wte [V, d]: [B, T, d]. */
  NDArray embed(NDArray tokens_BT, NDArray wte_Vd, double scale) {
    return module.run("embed", tokens_BT, wte_Vd, module.scalar(scale));
  }

  /** x times a scale plus the embeddings of positions 0..T-1: [B, T, d]. */
  NDArray addPositions(NDArray x_BTd, NDArray positions_Nd, double scale) {
    return module.run("add_positions", x_BTd, positions_Nd, module.scalar(scale));
  }

  /**
   * W x + b for one-hot x, which is the token's column of W [d, V], plus b: [B, T] to [B, T, d].
   */
  NDArray column(NDArray tokens_BT, Affine input) {
    return run("column", List.of(tokens_BT), input);
  }

  /**
   * The states of a recurrent network of d units from zeros: [B, T, d], or [B, T, 4 d], to [B, T,
   * d].
   */
  NDArray recur(NDArray x_BTd, Affine state, ModelConfig.Kind kind) {
    return run(kind == ModelConfig.Kind.LSTM ? "recur_lstm" : "recur", List.of(x_BTd), state);
  }

  /** The rows first, first + stride, ... of x: [B, n, d] to [B, S, d]. */
  NDArray every(NDArray x_BNd, long first, long stride) {
    return module.run("every", x_BNd, module.scalar(first), module.scalar(stride));
  }

  /** Some rows of x, by their places among all: [B, T, d] to [N, d]. */
  NDArray rows(NDArray x_BTd, NDArray places_N) {
    return module.run("rows", x_BTd, places_N);
  }

  /**
   * Embeddings in the format of the residual stream. Without gradients it is float32, because Java
   * reads rows of such passes. Closes the embeddings if the format is another one.
   */
  NDArray stream(NDArray embedded_BTd) {
    if (!hasGradient() || numerics.residual() == Precision.FLOAT32) {
      return embedded_BTd;
    }
    try (embedded_BTd) {
      return module.run("narrow", embedded_BTd);
    }
  }

  /** Some tensors [B, n, d] as one, position after position. DJL's own operator has no gradient. */
  NDArray concatenate(NDList parts) {
    parts.forEach(part -> part.setName("x[]"));
    NDArray whole = module.run("concatenate", parts).singletonOrThrow();
    parts.forEach(part -> part.setName(null));
    return whole;
  }

  /** Parts of n positions; the last one may be shorter. */
  NDList split(NDArray x_BTd, long positions) {
    return module.run("split", new NDList(x_BTd, module.scalar(positions)));
  }

  /** The first n positions, and the others. */
  NDList splitAfter(NDArray x_BTd, long positions) {
    return module.run("split_after", new NDList(x_BTd, module.scalar(positions)));
  }

  /**
   * {@return the states of block recurrence, chunk after chunk: keys and values of the states
   * before each chunk [B, M, S, 2d], and states [B, S, d]}
   *
   * @param qkv_BT3d queries, keys and values of the tokens
   * @param states_BSd the states before the first chunk, also [S, d]
   * @param carries whether the second result is the states after the last complete chunk; otherwise
   *     it is those before the last chunk
   */
  NDList states(NDArray qkv_BT3d, NDArray states_BSd, RecurrentBlock block, boolean carries) {
    return module.run(
        "states",
        new NDList(
            qkv_BT3d,
            states_BSd,
            block.ids_Sd(),
            block.norm().weight(),
            block.norm().bias(),
            block.qkvq().weight(),
            block.qkvq().bias(),
            block.out().weight(),
            block.out().bias(),
            block.gate_d(),
            module.scalar(block.chunk()),
            module.scalar(block.heads()),
            module.scalar(carries)));
  }

  /** Attention of tokens [B, T, d] over the states [B, M, S, 2d] before their chunk: [B, T, d]. */
  NDArray readStates(NDArray q_BTd, NDArray kv_BMS2d, int chunk, int heads) {
    return module.run("read_states", q_BTd, kv_BMS2d, module.scalar(chunk), module.scalar(heads));
  }

  /** A projection: [B, T, d] to [B, T, out]. */
  NDArray linear(NDArray x_BTd, Affine linear) {
    return run("linear", List.of(x_BTd), linear);
  }

  /** {@link #normalise}, then {@link #linear}. */
  NDArray normLinear(NDArray x_BTd, Affine norm, Affine linear) {
    return run("norm_linear", List.of(x_BTd), norm, linear);
  }

  /** x plus a projection of y, both [B, T, d]. */
  NDArray addLinear(NDArray x_BTd, NDArray y_BTd, Affine linear) {
    return run("add_linear", List.of(x_BTd, y_BTd, drop(x_BTd)), linear);
  }

  /** The normalisation of x: [B, T, d]. */
  NDArray normalise(NDArray x_BTd, Affine norm) {
    return run("norm", List.of(x_BTd), norm);
  }

  /**
   * The first half of a block, up to attention: [B, n, d] to queries, keys and values side by side,
   * and what positions carry behind them [B, padding + n, H D + 2 G D + E].
   *
   * @param padding the number of positions before the start that queries read
   */
  NDArray before(NDArray x_BNd, long padding, DecoderBlock block) {
    return before("before", x_BNd, padding, block);
  }

  /** The queries of {@link #before} [B, n, H D]. */
  NDArray queries(NDArray x_BNd, DecoderBlock block) {
    List<NDArray> inputs = new ArrayList<>(List.of(x_BNd));
    inputs.addAll(heads(block));
    return run("before_queries", inputs, block.norm1(), block.qkv());
  }

  /** {@link #before} without queries [B, padding + n, 2 G D + E]. */
  NDArray keysAndValues(NDArray x_BNd, long padding, DecoderBlock block) {
    return before("before_keys", x_BNd, padding, block);
  }

  private NDArray before(String kernel, NDArray x_BNd, long padding, DecoderBlock block) {
    List<NDArray> inputs = new ArrayList<>(List.of(x_BNd, module.scalar(padding), block.pad_d()));
    inputs.addAll(heads(block));
    inputs.add(block.input());
    return run(kernel, inputs, block.norm1(), block.qkv(), block.carried());
  }

  private List<NDArray> heads(DecoderBlock block) {
    return List.of(
        block.queryNorm_D(),
        block.keyNorm_D(),
        module.scalar(block.queries()),
        module.scalar(block.factor()));
  }

  /**
   * The second half of a block: adds the attended values and the MLP to x [B, n, d].
   *
   * @param attended_BPf the attended values of the n positions, and perhaps of positions before
   */
  NDArray after(NDArray x_BNd, NDArray attended_BPf, DecoderBlock block) {
    return run(
        "after",
        List.of(x_BNd, attended_BPf, drop(x_BNd)),
        block.out(),
        block.norm1(),
        block.norm2(),
        block.up(),
        block.down());
  }

  /** The negative log-likelihood of each label [N] from logits [N, labels]. */
  NDArray labelNll(NDArray logits, NDArray targets_N) {
    return module.run("label_nll", logits, targets_N);
  }

  /** The logits [N, V] after the final norm and the output matrix, from [N, d]. */
  NDArray logits(NDArray x_Nd, Affine norm, NDArray wte_Vd) {
    return module.run("logits", x_Nd, norm.weight(), norm.bias(), wte_Vd);
  }

  /**
   * The negative log-likelihood of each target [N] after the final norm and the output matrix, from
   * [N, d].
   */
  NDArray nll(NDArray x_Nd, Affine norm, NDArray wte_Vd, NDArray targets_N) {
    return module.run("nll", likelihood(x_Nd, norm, wte_Vd, targets_N));
  }

  /** The mean of {@link #nll}, a scalar with its graph. */
  NDArray meanNll(NDArray x_Nd, Affine norm, NDArray wte_Vd, NDArray targets_N) {
    return module.withGradient().run("mean_nll", likelihood(x_Nd, norm, wte_Vd, targets_N));
  }

  private NDArray[] likelihood(NDArray x_Nd, Affine norm, NDArray wte_Vd, NDArray targets_N) {
    return new NDArray[] {
      x_Nd,
      norm.weight(),
      norm.bias(),
      wte_Vd,
      targets_N,
      module.scalar(rowsOfLogits(wte_Vd.getShape().get(0)))
    };
  }

  /** Runs a kernel whose last arguments are weights and biases. */
  private NDArray run(String kernel, List<NDArray> inputs, Affine... weights) {
    NDList all = new NDList(inputs);
    for (Affine each : weights) {
      all.add(each.weight());
      all.add(each.bias());
    }
    return module.run(kernel, all).singletonOrThrow();
  }

  private long rowsOfLogits(long vocabulary) {
    long rows = Math.max(1, mostLogits / vocabulary);
    return rows < ROWS_MULTIPLE ? rows : rows - rows % ROWS_MULTIPLE;
  }

  @Override
  public void close() {
    module.close();
  }

  /**
   * The weight and the bias of a projection or a norm.
   *
   * @param weight [out, in] of a projection, [d] of a norm
   * @param bias [out] or [d]; a bias that the model does not have is empty for a projection, and
   *     zeros for a norm
   */
  record Affine(NDArray weight, NDArray bias) {
    static Affine of(Weights weights, String name) {
      NDArray weight = weights.get(name + ".weight");
      NDArray bias = weights.tensors().get(name + ".bias");
      return new Affine(
          weight, bias == null ? weight.getManager().zeros(absent(weight.getShape())) : bias);
    }

    private static Shape absent(Shape weight) {
      return new Shape(weight.dimension() == 2 ? 0 : weight.get(0));
    }
  }
}
