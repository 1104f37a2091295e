package org.lengthwise.positional.attention;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.positional.Formula;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RowScheme;

/**
 * The attention kernels of one device, and the tensors that passes share. The source {@code
 * attention.py} says how each kernel works. The attention of a form runs its own kernels; those of
 * several forms are methods here.
 *
 * <p>The input qkv [B, T, 3d] holds queries, keys and values side by side, float32. Kernels of the
 * last position take its query q [B, 1, d], and keys and values kv [B, T, 2d] side by side. Results
 * are [B, T, d] or [B, 1, d], float32. Training may also pass qkv in the format of the products,
 * then the result has that format too, except that of a linear recurrence.
 */
public final class AttentionKernels implements AutoCloseable {
  /** The number of queries in a block, if every earlier position is a key. */
  static final int QUERY_BLOCK = 256;

  /** Bounds of the number of queries in a block, if keys are windows. */
  private static final int LEAST_WINDOW_QUERIES = 16;

  private static final int MOST_WINDOW_QUERIES = 64;

  private final KernelModule module;
  private final KernelModule.Target target;
  private final Map<Table, Fixed> fixed;
  private final Map<Formula, FormulaKernels> formulas;

  public AttentionKernels(Device device, Precision precision) {
    this(device, Numerics.of(precision));
  }

  public AttentionKernels(Device device, Numerics numerics) {
    this(device, numerics, KernelModule.Target.of(device));
  }

  /** Kernels with the memory layouts of a target, which may differ from the device in tests. */
  AttentionKernels(Device device, Numerics numerics, KernelModule.Target target) {
    this.target = target.withBf16(numerics.isBf16()).withCudnn(numerics.cudnn());
    this.module = KernelModule.load(source(), device, this.target, false);
    this.fixed = new HashMap<>();
    this.formulas = new LinkedHashMap<>();
  }

  private AttentionKernels(AttentionKernels other) {
    this.target = other.target;
    this.module = other.module.withGradient();
    this.fixed = other.fixed;
    this.formulas = other.formulas;
  }

  static String source() {
    String rule = source("rule.py");
    return Stream.of(RowScheme.Rule.values())
        .map(each -> rule.replace("RULE", each.kernel()))
        .collect(
            Collectors.joining(
                "", source("attention.py") + source("rows.py") + source("linear.py"), ""));
  }

  static String source(String resource) {
    return KernelModule.source(AttentionKernels.class, resource);
  }

  /**
   * {@return these kernels with a graph of each result for a backward pass} Both share everything,
   * so only one of them is closed.
   */
  public AttentionKernels withGradient() {
    return new AttentionKernels(this);
  }

  public boolean hasGradient() {
    return module.hasGradient();
  }

  /**
   * {@return the value that depends on a scheme and the shape of a pass only} It stays on the
   * device as long as passes have its shape. A pass may have values of several schemes, and of one
   * for several {@linkplain Attention.Pass#range ranges}.
   *
   * @param make makes the value from the owner of its tensors
   * @param <T> the type of the value, always the same for a scheme
   */
  @SuppressWarnings("unchecked") // a scheme always asks for the same type
  <T> T fixed(PositionalScheme scheme, Attention.Pass pass, Function<NDManager, T> make) {
    Attention.Pass shape =
        new Attention.Pass(pass.heads(), pass.headWidth(), pass.length(), pass.causal());
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
    return hasGradient() ? loaded.withGradient() : loaded;
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
   */
  public NDArray banded(NDArray qkv_BT3d, NDArray r_HC, long dilation) {
    return dilation == 1 && !hasGradient() && !target.isGpu()
        ? sliding(qkv_BT3d, r_HC)
        : run("banded", qkv_BT3d, r_HC, scalar(dilation));
  }

  private NDArray sliding(NDArray qkv_BT3d, NDArray r_HC) {
    long preferred = r_HC.getShape().get(1) / 2;
    long queries = Math.min(Math.max(preferred, LEAST_WINDOW_QUERIES), MOST_WINDOW_QUERIES);
    return run("sliding", qkv_BT3d, r_HC, scalar(queries), scalar(QUERY_BLOCK));
  }

  boolean isOnGpu() {
    return module.device().isGpu();
  }

  /** Whether flash attention of a GPU computes windows itself. It needs bfloat16. */
  boolean hasWindows() {
    return isOnGpu() && target.isBf16();
  }

  /**
   * Sliding attention of every C-th position, counted back from the last one: S = ceil(n / C)
   * queries, and the keys and values of all n positions.
   */
  NDArray slidingLast(NDArray q_BSd, NDArray kv_BN2d, NDArray r_HC) {
    long queries = q_BSd.getShape().get(1);
    boolean isComplete = kv_BN2d.getShape().get(1) == queries * r_HC.getShape().get(1);
    String kernel = isComplete && hasGradient() ? "windows_last" : "sliding_last";
    return run(kernel, q_BSd, kv_BN2d, r_HC);
  }

  /**
   * Sliding-dilated attention in its simplest form: a mask of all pairs for libtorch's fused
   * attention. It is slower than {@link #banded}, and benchmarks compare the two. Unlike {@link
   * #plain} it never holds all scores, so it runs at every length whose mask fits into memory.
   *
   * @param r_HC the bias by head and step
   * @param dilation the distance between neighbouring keys of a query
   */
  public NDArray masked(NDArray qkv_BT3d, NDArray r_HC, long dilation) {
    return run("masked", qkv_BT3d, r_HC, scalar(dilation));
  }

  /**
   * Attention with a bias by steps of a dilation, with all scores at once. Keys beyond the table
   * are forbidden.
   */
  NDArray plain(NDArray qkv_BT3d, NDArray table_HN, long dilation) {
    return run("plain", qkv_BT3d, table_HN, scalar(dilation));
  }

  /** The rows (axis 0) or columns (axis 1) of a table at some places, or all, with their graph. */
  NDArray select(NDArray table, int axis, Optional<int[]> places, NDManager manager) {
    if (places.isEmpty()) {
      return table;
    }
    try (NDArray overJavaBuffer = manager.create(places.get())) {
      NDArray index = overJavaBuffer.duplicate(); // a backward pass reads it
      return module.withGradient().run("select", index, table, scalar(axis));
    }
  }

  /** Moves values into an interval. The gradient passes inside the interval and at its ends. */
  NDArray clamp(NDArray values, PositionalParameter.Bounds bounds) {
    return run("clamp", values, scalar(bounds.low()), scalar(bounds.high()));
  }

  NDArray run(String kernel, NDArray... inputs) {
    return module.run(kernel, inputs);
  }

  /** Runs a kernel whose last argument is a list, which the engine knows by the tensors' name. */
  NDArray runWithList(String kernel, NDList list, NDArray... inputs) {
    return runOnList(kernel, list, inputs).singletonOrThrow();
  }

  /** Runs a kernel whose last argument is a list. */
  NDList runOnList(String kernel, NDList list, NDArray... inputs) {
    NDList all = new NDList(inputs);
    list.forEach(tensor -> tensor.setName("p[]"));
    all.addAll(list);
    try {
      return module.run(kernel, all);
    } finally {
      list.forEach(tensor -> tensor.setName(null));
    }
  }

  NDArray scalar(long value) {
    return module.scalar(value);
  }

  NDArray scalar(double value) {
    return module.scalar(value);
  }

  NDArray scalar(boolean value) {
    return module.scalar(value);
  }

  @Override
  public void close() {
    fixed.values().forEach(kept -> kept.owner.close());
    formulas.values().forEach(FormulaKernels::close);
    module.close();
  }
}
