package org.lengthwise.model;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import java.util.Map;
import java.util.Objects;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.positional.attention.PositionEmbedding;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.safetensors.FloatFormat;

/**
 * The decoder's fused operators on one device. Inputs and results are float32; products run in the
 * precision given at construction. Results belong to the first input's manager.
 */
final class DecoderKernels implements AutoCloseable {
  /** The rows of logits that are computed together are a multiple of this number, if possible. */
  private static final int ROWS_MULTIPLE = 128;

  /** libtorch's codes of the formats. */
  private static final Map<FloatFormat, Integer> CODES =
      Map.of(FloatFormat.F32, 6, FloatFormat.F16, 5, FloatFormat.BF16, 15);

  private final KernelModule module;
  private final long mostLogits;

  DecoderKernels(DecoderForm form, Device device, Precision precision) {
    this(
        form,
        device,
        precision,
        LanguageModel.mostLogits(device.isGpu()),
        KernelModule.Target.of(device));
  }

  /** Kernels with the memory layouts of a target, which may differ from the device in tests. */
  DecoderKernels(
      DecoderForm form,
      Device device,
      Precision precision,
      long mostLogits,
      KernelModule.Target target) {
    this.mostLogits = mostLogits;
    this.module =
        KernelModule.load(
            DecoderKernels.class,
            "decoder.py",
            FormKernels.source(form),
            device,
            target.withBf16(precision == Precision.BFLOAT16));
  }

  /** A matrix of any numbers in a format, with the columns and the device of another one. */
  NDArray matrix(NDArray x_nc, long rows, FloatFormat format) {
    long code = Objects.requireNonNull(CODES.get(format));
    return run("matrix", false, x_nc, module.scalar(rows), module.scalar(code));
  }

  /** Writes rows of a matrix from one on. The result is the matrix. */
  NDArray setRows(NDArray matrix, NDArray rows_nc, long first) {
    return run("set_rows", false, matrix, rows_nc, module.scalar(first));
  }

  /** Looks tokens [B, T] up in wte [V, d]: [B, T, d]. */
  NDArray embed(NDArray tokens_BT, NDArray wte_Vd, double scale, boolean withGradient) {
    return scale == 1
        ? run("embed", withGradient, tokens_BT, wte_Vd)
        : run("embed_scaled", withGradient, tokens_BT, wte_Vd, module.scalar(scale));
  }

  /**
   * W x + b for one-hot x, which is the token's column of W [d, V], plus b: [B, T] to [B, T, d].
   */
  NDArray column(NDArray tokens_BT, Affine input, boolean withGradient) {
    return run("column", withGradient, tokens_BT, input.weight(), input.bias());
  }

  /** h<sub>t</sub> = relu(x<sub>t</sub> + W h<sub>t-1</sub> + b) from zeros: [B, T, d]. */
  NDArray recur(NDArray x_BTd, Affine state, boolean withGradient) {
    return run("recur", withGradient, x_BTd, state.weight(), state.bias());
  }

  /** Copies of pad [d] before the rows of x: [B, n, d] to [B, rows + n, d]. */
  NDArray padFront(NDArray x_BNd, NDArray pad_d, long rows, boolean withGradient) {
    return run("pad_front", withGradient, x_BNd, pad_d, module.scalar(rows));
  }

  /** The rows first, first + stride, ... of x: [B, n, d] to [B, S, d]. */
  NDArray every(NDArray x_BNd, long first, long stride, boolean withGradient) {
    return run("every", withGradient, x_BNd, module.scalar(first), module.scalar(stride));
  }

  /** Some numbers of each position behind others: [B, n, f] and [B, n, E] to [B, n, f + E]. */
  NDArray beside(NDArray x_BNf, NDArray more_BNE, boolean withGradient) {
    return run("beside", withGradient, x_BNf, more_BNE);
  }

  /** Some tensors [B, n, d] as one, position after position. DJL's own operator has no gradient. */
  NDArray concatenate(NDList parts, boolean withGradient) {
    parts.forEach(part -> part.setName("x[]"));
    NDArray whole = module.run("concatenate", withGradient, parts).singletonOrThrow();
    parts.forEach(part -> part.setName(null));
    return whole;
  }

  /** Parts of n positions; the last one may be shorter. */
  NDList split(NDArray x_BTd, long positions, boolean withGradient) {
    return module.run("split", withGradient, x_BTd, module.scalar(positions));
  }

  /** The first n positions, and the others. */
  NDList splitAfter(NDArray x_BTd, long positions, boolean withGradient) {
    return module.run("split_after", withGradient, x_BTd, module.scalar(positions));
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
  NDList states(
      NDArray qkv_BT3d,
      NDArray states_BSd,
      RecurrentBlock block,
      boolean carries,
      boolean withGradient) {
    return module.run(
        "states",
        withGradient,
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
        module.scalar(carries));
  }

  /** Attention of tokens [B, T, d] over the states [B, M, S, 2d] before their chunk: [B, T, d]. */
  NDArray readStates(NDArray q_BTd, NDArray kv_BMS2d, int chunk, int heads, boolean withGradient) {
    return run(
        "read_states", withGradient, q_BTd, kv_BMS2d, module.scalar(chunk), module.scalar(heads));
  }

  /** A projection: [B, T, d] to [B, T, out]. */
  NDArray linear(NDArray x_BTd, Affine linear, boolean withGradient) {
    return run("project", withGradient, x_BTd, linear.weight(), linear.bias());
  }

  /** The features of {@link #linear} from first up to end. */
  NDArray linearPart(NDArray x_BTd, Affine linear, long first, long end, boolean withGradient) {
    return run(
        "project_part",
        withGradient,
        x_BTd,
        linear.weight(),
        linear.bias(),
        module.scalar(first),
        module.scalar(end));
  }

  /** {@link #addLinear}, then LayerNorm. */
  NDArray addLinearNorm(
      NDArray x_BTd, NDArray y_BTd, Affine linear, Affine norm, boolean withGradient) {
    return run(
        "add_linear_norm",
        withGradient,
        x_BTd,
        y_BTd,
        linear.weight(),
        linear.bias(),
        norm.weight(),
        norm.bias());
  }

  /** The negative log-likelihood of each label [N] from logits [N, labels]. */
  NDArray labelNll(NDArray logits, NDArray targets_N, boolean withGradient) {
    return run("label_nll", withGradient, logits, targets_N);
  }

  /**
   * As {@link #embed}, times the positions' own factor, plus the embeddings of positions 0..T-1.
   */
  NDArray embedAt(
      NDArray tokens_BT,
      NDArray wte_Vd,
      double scale,
      PositionEmbedding positions,
      boolean withGradient) {
    return run(
        "embed_at",
        withGradient,
        tokens_BT,
        wte_Vd,
        positions.positions_Nd(),
        module.scalar(scale * positions.scale()));
  }

  /** x plus the embeddings of its positions, times the positions' own factor: [B, T, d]. */
  NDArray addPositions(NDArray x_BTd, PositionEmbedding positions, boolean withGradient) {
    return run(
        "add_positions",
        withGradient,
        x_BTd,
        positions.positions_Nd(),
        module.scalar(positions.scale()));
  }

  /**
   * LayerNorm, then a projection: [B, T, d] to [B, T, out]. With a graph, the result has the format
   * of the products: Java cannot read it if this is bfloat16, but the next kernel can.
   */
  NDArray normLinear(NDArray x_BTd, Affine norm, Affine linear, boolean withGradient) {
    return run(
        withGradient ? "norm_product" : "norm_linear",
        withGradient,
        x_BTd,
        norm.weight(),
        norm.bias(),
        linear.weight(),
        linear.bias());
  }

  /** The features of {@link #normLinear} from first up to end. */
  NDArray normLinearPart(
      NDArray x_BTd, Affine norm, Affine linear, long first, long end, boolean withGradient) {
    return run(
        "norm_linear_part",
        withGradient,
        x_BTd,
        norm.weight(),
        norm.bias(),
        linear.weight(),
        linear.bias(),
        module.scalar(first),
        module.scalar(end));
  }

  /** x plus a projection of y, both [B, T, d]. */
  NDArray addLinear(NDArray x_BTd, NDArray y_BTd, Affine linear, boolean withGradient) {
    return run("add_linear", withGradient, x_BTd, y_BTd, linear.weight(), linear.bias());
  }

  /** The normalisation of x: [B, T, d]. */
  NDArray normalise(NDArray x_BTd, Affine norm, boolean withGradient) {
    return run("normalise", withGradient, x_BTd, norm.weight(), norm.bias());
  }

  /**
   * Queries, keys and values side by side as attention reads them: bounded, normalised and scaled.
   *
   * @param x_BNf n positions of queries, keys and values, of queries, or of keys and values
   * @param queries the number of features of queries, 0 or H D
   * @param keys the number of features of keys, 0 or G D
   */
  NDArray shapeHeads(
      NDArray x_BNf, HeadShape heads, long queries, long keys, boolean withGradient) {
    return run(
        "shape_heads",
        withGradient,
        x_BNf,
        heads.queryNorm_D(),
        heads.keyNorm_D(),
        module.scalar(queries),
        module.scalar(keys),
        module.scalar(heads.clip()),
        module.scalar(heads.factor()));
  }

  /**
   * What {@link #shapeHeads} does.
   *
   * @param queryNorm_D the weight of the RMSNorm of each query, or empty
   * @param keyNorm_D the weight of the RMSNorm of each key, or empty
   * @param clip the largest absolute value; 0 for no bound
   */
  record HeadShape(NDArray queryNorm_D, NDArray keyNorm_D, double clip, double factor) {}

  /** x plus its norm's projection to F, activation, projection back: [B, T, d]. */
  NDArray addMlp(NDArray x_BTd, Affine norm, Affine up, Affine down, boolean withGradient) {
    return mlp("add_mlp", x_BTd, norm, up, down, withGradient);
  }

  /** The norm of x plus projection to F, activation, projection back: [B, T, d]. */
  NDArray addMlpNorm(NDArray x_BTd, Affine norm, Affine up, Affine down, boolean withGradient) {
    return mlp("add_mlp_norm", x_BTd, norm, up, down, withGradient);
  }

  /** The norm h of x, plus h's projection to F, activation, projection back: [B, T, d]. */
  NDArray normAddMlp(NDArray x_BTd, Affine norm, Affine up, Affine down, boolean withGradient) {
    return mlp("norm_add_mlp", x_BTd, norm, up, down, withGradient);
  }

  private NDArray mlp(
      String method, NDArray x_BTd, Affine norm, Affine up, Affine down, boolean withGradient) {
    return run(
        method,
        withGradient,
        x_BTd,
        norm.weight(),
        norm.bias(),
        up.weight(),
        up.bias(),
        down.weight(),
        down.bias());
  }

  /** The logits [N, V] after the final norm and the output matrix, from [N, d], without a graph. */
  NDArray logits(NDArray x_Nd, Affine norm, NDArray wte_Vd) {
    return run("logits", false, x_Nd, norm.weight(), norm.bias(), wte_Vd);
  }

  /**
   * The negative log-likelihood of each target [N] after the final norm and the output matrix, from
   * [N, d].
   */
  NDArray nll(NDArray x_Nd, Affine norm, NDArray wte_Vd, NDArray targets_N, boolean withGradient) {
    return run("nll", withGradient, likelihood(x_Nd, norm, wte_Vd, targets_N));
  }

  /** The mean of {@link #nll}, a scalar with its graph. */
  NDArray meanNll(NDArray x_Nd, Affine norm, NDArray wte_Vd, NDArray targets_N) {
    return run("mean_nll", true, likelihood(x_Nd, norm, wte_Vd, targets_N));
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

  private long rowsOfLogits(long vocabulary) {
    long rows = Math.max(1, mostLogits / vocabulary);
    return rows < ROWS_MULTIPLE ? rows : rows - rows % ROWS_MULTIPLE;
  }

  private NDArray run(String method, boolean withGradient, NDArray... inputs) {
    return module.run(method, withGradient, inputs).singletonOrThrow();
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
