package org.lengthwise.bench;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lengthwise.bench.RoundRobinTimer.Variant;
import org.lengthwise.bench.RoundRobinTimer.Workload;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.PlainAttention;

/**
 * The cost of one block's attention under each scheme, at growing lengths. The reference of each
 * scheme computes all scores at once.
 *
 * <p>A pass prepares what a forward pass of a model prepares (tables of biases, rotations), then
 * attends once for each level of a model at this length. Queries, keys, values and parameters are
 * random. Each scheme has kernels of its own: as in a training, they keep what all passes of a
 * shape share, such as a fixed table or the compiled formula.
 *
 * @param heads H, the number of heads
 * @param headWidth D, the width of a head
 * @param lengths the lengths T, shortest first
 * @param longestDense the longest T of variants whose cost grows with T squared: schemes that
 *     attend to all earlier positions, and every reference
 * @param longestWithGradients the longest T of these variants with a backward pass
 * @param schemes the schemes by their names in the table
 */
public record ScalingBench(
    int heads,
    int headWidth,
    @Unit("positions") List<Integer> lengths,
    @Unit("positions") int longestDense,
    @Unit("positions") int longestWithGradients,
    Map<String, PositionalScheme> schemes)
    implements BenchPart.Sizes {
  /** Random parameters lie between these two numbers, which every scheme accepts. */
  private static final float LEAST = 0.1f;

  private static final float MOST = 1;
  private static final String REFERENCE = "all scores of ";

  public ScalingBench {
    Checks.atLeast("heads", heads, 1);
    Checks.atLeast("head_width", headWidth, 1);
    lengths = List.copyOf(lengths);
    lengths.forEach(length -> Checks.atLeast("lengths", length, 1));
    schemes = Collections.unmodifiableMap(new LinkedHashMap<>(schemes));
  }

  private boolean allowsAllPairs(Attention.Pass pass, boolean gradients) {
    return pass.length() <= longestDense && (!gradients || pass.length() <= longestWithGradients);
  }

  private boolean supports(PositionalScheme scheme, Attention.Pass pass, boolean gradients) {
    return pass.length() <= scheme.lengths().longest()
        && (!scheme.reach().seesAllKeys() || allowsAllPairs(pass, gradients));
  }

  /** Every scheme at every length that it supports, first without gradients, then with. */
  @Override
  public List<BenchRow> run(BenchSetting setting) {
    List<BenchRow> rows = new ArrayList<>();
    Map<String, AttentionKernels> kernels = new HashMap<>();
    try {
      for (String name : schemes.keySet()) {
        kernels.put(name, new AttentionKernels(setting.device(), setting.precision()));
      }
      for (boolean gradients : new boolean[] {false, true}) {
        for (int length : lengths) {
          rows.addAll(rows(kernels, setting, length, gradients));
        }
      }
    } finally {
      kernels.values().forEach(AttentionKernels::close);
    }
    return rows;
  }

  private List<BenchRow> rows(
      Map<String, AttentionKernels> kernels, BenchSetting setting, int length, boolean gradients) {
    try (NDManager manager = NDManager.newBaseManager(setting.device(), "PyTorch")) {
      long width = (long) heads * headWidth;
      Shape shape = new Shape(1, length, 3 * width);
      NDArray qkv = manager.randomNormal(0, 1, shape, DataType.FLOAT32);
      qkv.setRequiresGradient(gradients);
      Attention.Pass pass = new Attention.Pass(heads, headWidth, length, true);
      String name = gradients ? "with gradients" : "inference";
      return setting
          .timer()
          .run(
              new Workload(BenchPart.SCALING, name, length, length),
              variants(kernels, pass, gradients, qkv));
    }
  }

  /** The variants with the smallest peak first: every scheme, then every reference. */
  private List<Variant> variants(
      Map<String, AttentionKernels> kernels,
      Attention.Pass pass,
      boolean gradients,
      NDArray qkv_1T3d) {
    List<Variant> variants = new ArrayList<>();
    List<Variant> references = new ArrayList<>();
    for (Map.Entry<String, PositionalScheme> entry : schemes.entrySet()) {
      String name = entry.getKey();
      PositionalScheme scheme = entry.getValue();
      if (supports(scheme, pass, gradients)) {
        AttentionKernels own = Objects.requireNonNull(kernels.get(name));
        TimedScheme attention = new TimedScheme(scheme, gradients ? own.withGradient() : own, pass);
        AttentionPass timed = attention.over(qkv_1T3d);
        Variant variant = Variant.of(name, () -> timed.run(attention::fast));
        if (allowsAllPairs(pass, gradients)) {
          variants.add(
              variant.against(
                  REFERENCE + name, () -> timed.difference(attention::fast, attention::allScores)));
          references.add(Variant.of(REFERENCE + name, () -> timed.run(attention::allScores)));
        } else {
          variants.add(variant);
        }
      }
    }
    variants.addAll(references);
    return variants;
  }

  /** The parameters that attention uses. Embeddings have no part in it. */
  static List<PositionalParameter> parameters(PositionalScheme scheme, int heads, int width) {
    return scheme.parameters(heads, width).stream()
        .filter(parameter -> parameter.scope() != PositionalParameter.Scope.EMBEDDING)
        .toList();
  }

  /**
   * The attention of one scheme.
   *
   * @param shape the shape of the pass
   */
  record TimedScheme(PositionalScheme scheme, AttentionKernels kernels, Attention.Pass shape) {

    /** A pass over these queries, keys and values, with random parameters. */
    AttentionPass over(NDArray qkv_1T3d) {
      NDList leaves = new NDList(rows(qkv_1T3d));
      for (PositionalParameter parameter :
          parameters(scheme, shape.heads(), shape.heads() * shape.headWidth())) {
        long[] axes = parameter.shape().stream().mapToLong(Integer::longValue).toArray();
        NDArray tensor = qkv_1T3d.getManager().randomUniform(LEAST, MOST, new Shape(axes));
        tensor.setRequiresGradient(kernels.hasGradient());
        leaves.add(tensor);
      }
      return new AttentionPass(
          leaves, scheme.reach().levels(shape.length()), kernels.hasGradient());
    }

    /** Queries, keys and values, with what positions carry under this scheme. */
    private NDArray rows(NDArray qkv_1T3d) {
      int own = scheme.rowWidth(shape.heads(), shape.width());
      if (own == qkv_1T3d.getShape().get(2)) {
        return qkv_1T3d;
      }
      Shape wider = new Shape(1, shape.length(), own);
      NDArray rows = qkv_1T3d.getManager().randomNormal(0, 1, wider, DataType.FLOAT32);
      rows.setRequiresGradient(kernels.hasGradient());
      return rows;
    }

    Attention fast(NDList leaves, NDManager pass) {
      return Attention.begin(scheme, kernels, named(leaves), shape, pass);
    }

    Attention allScores(NDList leaves, NDManager pass) {
      return scheme.accept(new PlainAttention(kernels, named(leaves), shape, pass));
    }

    Attention.Tensors named(NDList leaves) {
      Map<String, NDArray> tensors = new HashMap<>();
      for (PositionalParameter parameter :
          parameters(scheme, shape.heads(), shape.heads() * shape.headWidth())) {
        tensors.put(parameter.name(), leaves.get(1 + tensors.size()));
      }
      return (name, block) -> Objects.requireNonNull(tensors.get(name), name);
    }
  }
}
