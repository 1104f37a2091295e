package org.lengthwise.positional.attention;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.positional.Formula;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RowScheme;

/**
 * The attention kernels of one device. The source {@code attention.py} says how each one works.
 *
 * <p>The input qkv [B, T, 3d] holds queries, keys and values side by side, float32. Kernels of the
 * last position take its query q [B, 1, d], and keys and values kv [B, T, 2d] side by side. Results
 * are [B, T, d] or [B, 1, d], float32. Training may also pass qkv in the format of the products,
 * then the result has that format too. A flag {@code withGradient} says whether a backward pass
 * follows.
 */
public final class AttentionKernels implements AutoCloseable {
  /** The number of queries in a block, if every earlier position is a key. */
  static final int QUERY_BLOCK = 256;

  /** Bounds of the number of queries in a block, if keys are windows. */
  private static final int LEAST_WINDOW_QUERIES = 16;

  private static final int MOST_WINDOW_QUERIES = 64;

  private final KernelModule module;
  private final KernelModule.Target target;
  private final Map<Table, Fixed> fixed = new HashMap<>();
  private final Map<Formula, FormulaKernels> formulas = new LinkedHashMap<>();

  /**
   * Loads the kernels.
   *
   * @param device the device on which they run
   * @param precision the format of their products
   */
  public AttentionKernels(Device device, Precision precision) {
    this(device, precision, KernelModule.Target.of(device));
  }

  /** Kernels with the memory layouts of a target, which may differ from the device in tests. */
  AttentionKernels(Device device, Precision precision, KernelModule.Target target) {
    this.target = target.withBf16(precision == Precision.BFLOAT16);
    this.module =
        KernelModule.load(AttentionKernels.class, "attention.py", device, this.target, false);
  }

  /**
   * {@return the value that depends on a scheme and the shape of a pass only} It stays on the
   * device as long as passes have its shape, so the passes of a training copy it once. A pass may
   * have values of several schemes, and of one for several {@linkplain Attention.Pass#range
   * ranges}.
   *
   * @param scheme the scheme, which asks for one value in each pass
   * @param make makes the value from the owner of its tensors
   * @param <T> the type of the value, always the same for a scheme
   */
  @SuppressWarnings("unchecked") // a scheme always asks for the same type
  <T> T fixed(PositionalScheme scheme, Attention.Pass pass, Function<NDManager, T> make) {
    Attention.Pass shape =
        new Attention.Pass(pass.heads(), pass.headWidth(), pass.length(), pass.causal(), false);
    Table table = new Table(scheme, pass.range());
    Fixed kept = fixed.get(table);
    if (kept == null || !kept.shape.equals(shape)) {
      fixed.values().stream()
          .filter(other -> !other.shape.equals(shape))
          .forEach(other -> other.owner.close());
      fixed.values().removeIf(other -> !other.shape.equals(shape));
      NDManager owner = NDManager.newBaseManager(module.device(), "PyTorch");
      kept = new Fixed(shape, owner, make.apply(owner));
      fixed.put(table, kept);
    }
    return (T) kept.value;
  }

  private record Table(PositionalScheme scheme, int range) {}

  private record Fixed(Attention.Pass shape, NDManager owner, Object value) {}

  /** The kernels of a formula. Those of the latest formulas stay loaded. */
  FormulaKernels formula(Formula scheme, Attention.Pass pass) {
    FormulaKernels loaded = formulas.remove(scheme);
    if (loaded == null || !loaded.isFor(scheme, pass)) {
      if (loaded != null) {
        loaded.close();
      }
      if (formulas.size() == Layers.MOST_SCHEMES) {
        Objects.requireNonNull(formulas.remove(formulas.keySet().iterator().next())).close();
      }
      loaded = FormulaKernels.load(scheme, pass, module.device(), target);
    }
    formulas.put(scheme, loaded);
    return loaded;
  }

  /** Attention without a bias. */
  NDArray unbiased(NDArray qkv_BT3d, Attention.Pass pass) {
    String kernel = pass.causal() ? "causal" : "both_directions";
    return run(kernel, pass.withGradient(), qkv_BT3d, module.scalar(pass.heads()));
  }

  /** Computes {@link #unbiased} with all scores at once. */
  NDArray plainUnbiased(NDArray qkv_BT3d, Attention.Pass pass) {
    String kernel = pass.causal() ? "plain_causal" : "plain_both_directions";
    return run(kernel, pass.withGradient(), qkv_BT3d, module.scalar(pass.heads()));
  }

  /** Attention of the last position without a bias. */
  NDArray unbiasedLast(NDArray q_B1d, NDArray kv_BT2d, int heads) {
    return run("unbiased_last", false, q_B1d, kv_BT2d, module.scalar(heads));
  }

  /**
   * The bias of all pairs [1, H, T, T] from a table by head and distance, with its graph. It is
   * -1e30 if the key lies after the query. On a GPU it has the format of the products, which Java
   * cannot read.
   */
  NDArray bias(NDArray table_HT) {
    return run("bias", true, table_HT);
  }

  /** Attention with a bias of all pairs, with its graph. */
  NDArray dense(NDArray qkv_BT3d, NDArray bias_1HTT) {
    return run("dense", true, qkv_BT3d, bias_1HTT, module.scalar(QUERY_BLOCK));
  }

  /**
   * What all layers share of a fixed bias by distance, in the format of the products, which Java
   * cannot read.
   */
  NDArray sharedBias(NDArray table_HT) {
    return run("shared", true, table_HT, module.scalar(QUERY_BLOCK));
  }

  /** {@link #sharedBias} in float32, to be multiplied before it is rounded. */
  NDArray exactSharedBias(NDArray table_HT) {
    return run("exact_shared", true, table_HT, module.scalar(QUERY_BLOCK));
  }

  /** Attention with a fixed {@link #sharedBias}, which is never stored for all pairs. */
  NDArray denseInBlocks(NDArray qkv_BT3d, NDArray shared, int heads, boolean withGradient) {
    return run(
        "dense_in_blocks",
        withGradient,
        qkv_BT3d,
        shared,
        module.scalar(heads),
        module.scalar(QUERY_BLOCK));
  }

  /** Attention of the last position with a bias by distance. */
  NDArray denseLast(NDArray q_B1d, NDArray kv_BT2d, NDArray table_HT) {
    return run("dense_last", false, q_B1d, kv_BT2d, table_HT);
  }

  /**
   * Sliding-dilated attention.
   *
   * <p>Implementation note: without gradients and without dilation, windows are overlapping views
   * of the keys. Otherwise the positions of each residue class are gathered, and every block of C
   * positions is paired with the block before it. The backward pass needs these pairs anyway, and a
   * GPU would need a kernel for each sequence to read views.
   *
   * @param r_HC the bias by head and step
   * @param dilation the distance between neighbouring keys of a query
   * @param withGradient whether a backward pass follows
   * @return the attended values [B, T, d]
   */
  public NDArray banded(NDArray qkv_BT3d, NDArray r_HC, long dilation, boolean withGradient) {
    return dilation == 1 && !withGradient && !target.isGpu()
        ? sliding(qkv_BT3d, r_HC)
        : run("banded", withGradient, qkv_BT3d, r_HC, module.scalar(dilation));
  }

  private NDArray sliding(NDArray qkv_BT3d, NDArray r_HC) {
    long preferred = r_HC.getShape().get(1) / 2;
    long queries = Math.min(Math.max(preferred, LEAST_WINDOW_QUERIES), MOST_WINDOW_QUERIES);
    return run(
        "sliding", false, qkv_BT3d, r_HC, module.scalar(queries), module.scalar(QUERY_BLOCK));
  }

  /**
   * Attention to the latest positions without a bias.
   *
   * <p>Implementation note: flash attention of a GPU has such a window. It needs bfloat16.
   *
   * @param flat_HW zeros, W for each head
   * @param withGradient whether a backward pass follows
   */
  NDArray window(NDArray qkv_BT3d, NDArray flat_HW, boolean withGradient) {
    if (!module.device().isGpu() || !target.isBf16()) {
      return banded(qkv_BT3d, flat_HW, 1, withGradient);
    }
    Shape flat = flat_HW.getShape();
    return run(
        "windowed", withGradient, qkv_BT3d, module.scalar(flat.get(0)), module.scalar(flat.get(1)));
  }

  /**
   * Attention to the query's own chunk of C positions.
   *
   * @param qkv_BT3d queries, keys and values; the first row begins a chunk
   * @param bias_HC the bias by head and distance
   * @param isFlat whether the bias is 0
   * @param withGradient whether a backward pass follows
   */
  NDArray chunked(NDArray qkv_BT3d, NDArray bias_HC, boolean isFlat, boolean withGradient) {
    return run(
        "chunked",
        withGradient,
        qkv_BT3d,
        bias_HC,
        module.scalar(isFlat),
        module.scalar(QUERY_BLOCK));
  }

  /** Computes {@link #chunked} with all scores at once. */
  NDArray plainChunked(NDArray qkv_BT3d, NDArray bias_HC, boolean withGradient) {
    return run("plain_chunked", withGradient, qkv_BT3d, bias_HC);
  }

  /**
   * Sliding attention of every C-th position, counted back from the last one: S = ceil(n / C)
   * queries, and the keys and values of all n positions.
   */
  NDArray slidingLast(NDArray q_BSd, NDArray kv_BN2d, NDArray r_HC, boolean withGradient) {
    long queries = q_BSd.getShape().get(1);
    boolean isComplete = kv_BN2d.getShape().get(1) == queries * r_HC.getShape().get(1);
    return run(
        isComplete && withGradient ? "windows_last" : "sliding_last",
        withGradient,
        q_BSd,
        kv_BN2d,
        r_HC);
  }

  /** Attention of rotated queries and keys: {@code rotary}, or all scores at once. */
  NDArray rotary(String kernel, NDArray qkv_BTg, RotaryAttention attention) {
    Attention.Pass pass = attention.pass();
    return run(
        pass.causal() ? kernel : kernel + "_both_directions",
        pass.withGradient(),
        qkv_BTg,
        module.scalar(pass.heads()),
        module.scalar(attention.keyHeads()),
        attention.rotations().cos_TP(),
        attention.rotations().sin_TP());
  }

  /** Queries and keys rotated, and values [B, N, 3d], where N is at most T. */
  NDArray rotateQkv(NDArray qkv_BN3d, RotaryTable rotations, Attention.Pass pass) {
    return run(
        "rotate_qkv",
        pass.withGradient(),
        qkv_BN3d,
        module.scalar(pass.heads()),
        rotations.cos_TP(),
        rotations.sin_TP());
  }

  /** Attention of the last position, with rotated query and keys. */
  NDArray rotaryLast(NDArray q_B1d, NDArray kv_BTg, RotaryAttention attention) {
    return run(
        "rotary_last",
        false,
        q_B1d,
        kv_BTg,
        module.scalar(attention.pass().heads()),
        module.scalar(attention.keyHeads()),
        attention.rotations().cos_TP(),
        attention.rotations().sin_TP());
  }

  /**
   * Attention with the scores of Transformer-XL.
   *
   * @param learned u [H, D], v [H, D] and W<sub>R</sub> [d, d]
   * @param sines_Nd the sines and cosines of the distances from T - 1 down
   */
  NDArray byContent(NDArray qkv_BT3d, NDList learned, NDArray sines_Nd, Attention.Pass pass) {
    return byContent("by_content", qkv_BT3d, learned, sines_Nd, pass);
  }

  /** Runs {@code by_content}, or {@code plain_by_content} with all scores at once. */
  NDArray byContent(
      String kernel, NDArray qkv_BT3d, NDList learned, NDArray sines_Nd, Attention.Pass pass) {
    return run(
        kernel,
        pass.withGradient(),
        qkv_BT3d,
        learned.get(0),
        learned.get(1),
        learned.get(2),
        sines_Nd,
        module.scalar(QUERY_BLOCK),
        module.scalar(pass.causal()));
  }

  /** Attention of the last position with the scores of Transformer-XL. */
  NDArray byContentLast(NDArray q_B1d, NDArray kv_BT2d, NDList learned, NDArray sines_Nd) {
    return run(
        "by_content_last",
        false,
        q_B1d,
        kv_BT2d,
        learned.get(0),
        learned.get(1),
        learned.get(2),
        sines_Nd);
  }

  /**
   * Attention with FIRE's bias, which is computed for one block of queries at a time.
   *
   * @param network FIRE's tensors: c, L, then weight and bias of both layers
   * @param block the number of queries in a block
   * @param withGradient whether a backward pass follows
   */
  NDArray fire(NDArray qkv_BT3d, NDList network, int block, boolean withGradient) {
    return fire("fire", qkv_BT3d, network, block, withGradient);
  }

  /** Runs {@code fire}, or {@code plain_fire} with all scores at once. */
  NDArray fire(String kernel, NDArray qkv_BT3d, NDList network, int block, boolean withGradient) {
    NDList inputs = new NDList(qkv_BT3d);
    inputs.addAll(network);
    inputs.add(module.scalar(block));
    return run(kernel, withGradient, inputs.toArray(NDArray[]::new));
  }

  /** Attention of the last position with FIRE's bias. */
  NDArray fireLast(NDArray q_B1d, NDArray kv_BT2d, NDList network) {
    NDList inputs = new NDList(q_B1d, kv_BT2d);
    inputs.addAll(network);
    return run("fire_last", false, inputs.toArray(NDArray[]::new));
  }

  /**
   * Attention whose weights depend on rows.
   *
   * @param kernel {@code by_rows}, or {@code plain_by_rows} with all scores at once
   * @param qkv_BTg queries, keys and values, then the numbers that positions carry
   * @param queries the number of queries in a block
   */
  NDArray byRows(
      String kernel,
      NDArray qkv_BTg,
      NDList tensors,
      RowScheme.Rule rule,
      int queries,
      Attention.Pass pass) {
    return runWithList(
        kernel,
        pass.withGradient(),
        tensors,
        qkv_BTg,
        module.scalar(rule.code()),
        module.scalar(pass.heads()),
        module.scalar(queries));
  }

  /** Attention of the last position whose weights depend on rows. */
  NDArray byRowsLast(
      NDArray q_B1d, NDArray kv_BTg, NDList tensors, RowScheme.Rule rule, int heads) {
    return runWithList(
        "by_rows_last",
        false,
        tensors,
        q_B1d,
        kv_BTg,
        module.scalar(rule.code()),
        module.scalar(heads));
  }

  /**
   * Rows with their queries multiplied.
   *
   * @param rows_BNg queries, and what else belongs to a position
   * @param factors [N, 1], and perhaps [H]
   */
  NDArray tempered(NDArray rows_BNg, NDList factors, Attention.Pass pass) {
    NDArray width = module.scalar(pass.width());
    return runWithList("tempered", pass.withGradient(), factors, rows_BNg, width);
  }

  /** {@link #denseInBlocks} with a bias that is multiplied by the factor of the query. */
  NDArray denseByQuery(NDArray qkv_BT3d, NDArray shared, NDList factors, Attention.Pass pass) {
    return runWithList(
        "dense_by_query",
        pass.withGradient(),
        factors,
        qkv_BT3d,
        shared,
        module.scalar(pass.heads()),
        module.scalar(QUERY_BLOCK));
  }

  /** Computes {@link #denseByQuery} with all scores at once. */
  NDArray plainByQuery(NDArray qkv_BT3d, NDArray table_HT, NDList factors, Attention.Pass pass) {
    return runWithList("plain_by_query", pass.withGradient(), factors, qkv_BT3d, table_HT);
  }

  /** {@link #denseLast} with a bias that is multiplied by the factor of the query. */
  NDArray denseLastByQuery(NDArray q_B1d, NDArray kv_BT2d, NDArray table_HT, NDList factors) {
    return runWithList("dense_last_by_query", false, factors, q_B1d, kv_BT2d, table_HT);
  }

  /** Runs a kernel whose last argument is a list, which the engine knows by the tensors' name. */
  private NDArray runWithList(String kernel, boolean withGradient, NDList list, NDArray... inputs) {
    NDList all = new NDList(inputs);
    list.forEach(tensor -> tensor.setName("p[]"));
    all.addAll(list);
    try {
      return module.run(kernel, withGradient, all).singletonOrThrow();
    } finally {
      list.forEach(tensor -> tensor.setName(null));
    }
  }

  /**
   * Sliding-dilated attention in its simplest form: a mask of all pairs for libtorch's fused
   * attention. It is slower than {@link #banded}, and benchmarks compare the two. Unlike {@link
   * #plain} it never holds all scores, so it runs at every length whose mask fits into memory.
   *
   * @param r_HC the bias by head and step
   * @param dilation the distance between neighbouring keys of a query
   * @param withGradient whether a backward pass follows
   * @return the attended values [B, T, d]
   */
  public NDArray masked(NDArray qkv_BT3d, NDArray r_HC, long dilation, boolean withGradient) {
    return run("masked", withGradient, qkv_BT3d, r_HC, module.scalar(dilation));
  }

  /**
   * Attention with a bias by steps of a dilation, with all scores at once. Keys beyond the table
   * are forbidden.
   */
  NDArray plain(NDArray qkv_BT3d, NDArray table_HN, long dilation, boolean withGradient) {
    return run("plain", withGradient, qkv_BT3d, table_HN, module.scalar(dilation));
  }

  /**
   * Repeats each of G heads of keys and values for neighbouring heads of queries.
   *
   * @param x_Bng keys and values [B, n, 2 G D], or queries of all heads before them, and then the
   *     numbers that positions carry
   * @param keyHeads G
   * @param repeats H / G
   * @param headWidth D
   * @param carried the numbers that each position carries
   * @param withGradient whether a backward pass follows
   */
  NDArray repeatGroups(
      NDArray x_Bng, int keyHeads, int repeats, int headWidth, int carried, boolean withGradient) {
    return run(
        "repeat_groups",
        withGradient,
        x_Bng,
        module.scalar(keyHeads),
        module.scalar(repeats),
        module.scalar(headWidth),
        module.scalar(carried));
  }

  /** The rows (axis 0) or columns (axis 1) of a table at some places, or all, with their graph. */
  NDArray select(NDArray table, int axis, Optional<int[]> places, NDManager manager) {
    if (places.isEmpty()) {
      return table;
    }
    try (NDArray overJavaBuffer = manager.create(places.get())) {
      NDArray index = overJavaBuffer.duplicate(); // a backward pass reads it
      return run("select", true, index, table, module.scalar(axis));
    }
  }

  /** Moves values into an interval. The gradient passes inside the interval and at its ends. */
  NDArray clamp(NDArray values, PositionalParameter.Bounds bounds, boolean withGradient) {
    NDArray low = module.scalar(bounds.low());
    NDArray high = module.scalar(bounds.high());
    return run("clamp", withGradient, values, low, high);
  }

  private NDArray run(String kernel, boolean withGradient, NDArray... inputs) {
    return module.run(kernel, withGradient, inputs).singletonOrThrow();
  }

  @Override
  public void close() {
    fixed.values().forEach(kept -> kept.owner.close());
    formulas.values().forEach(FormulaKernels::close);
    module.close();
  }
}
