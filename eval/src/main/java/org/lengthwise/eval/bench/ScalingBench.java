package org.lengthwise.eval.bench;

import ai.djl.Device;
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
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.PlainAttention;
import org.lengthwise.positional.attention.PositionalTensors;
import org.lengthwise.positional.attention.Precision;

/**
 * What one block's attention costs under each scheme, at growing lengths, beside the same with
 * every score at once.
 *
 * <p>A pass prepares what a forward pass of a model would (tables of biases, rotations) and attends
 * once at every level that a model of this length has. Queries, keys and values are random, and so
 * are learnable numbers.
 *
 * @param sizes the shapes; B is 1
 * @param precision the format of the products
 * @param timer how passes are timed
 */
record ScalingBench(Sizes sizes, Precision precision, Interleaved timer) {
  /** Inside the bounds of every learnable number there is. */
  private static final float LEAST = 0.1f;

  private static final float MOST = 1;

  private static final String REFERENCE = "all scores of ";

  /**
   * The shapes.
   *
   * @param heads H
   * @param headWidth D
   * @param lengths each T, shortest first
   * @param longestDense the longest T at which cost may grow with T squared: of schemes that attend
   *     to all earlier positions, and of every scheme with all scores at once
   * @param longestWithGradients the same for a forward and backward pass
   * @param schemes what is timed, by the names of the table
   */
  public record Sizes(
      int heads,
      int headWidth,
      List<Integer> lengths,
      int longestDense,
      int longestWithGradients,
      Map<String, PositionalScheme> schemes) {
    /** Checks the values. */
    public Sizes {
      BenchConfig.requirePositive("heads", heads);
      BenchConfig.requirePositive("head_width", headWidth);
      lengths = List.copyOf(lengths);
      lengths.forEach(length -> BenchConfig.requirePositive("lengths", length));
      schemes = Collections.unmodifiableMap(new LinkedHashMap<>(schemes));
    }

    private boolean allowsAllPairs(Attention.Pass pass) {
      return pass.length() <= longestDense
          && (!pass.recordsGradient() || pass.length() <= longestWithGradients);
    }

    private boolean reaches(PositionalScheme scheme, Attention.Pass pass) {
      boolean slides = scheme instanceof RegularGpt || scheme instanceof SlidingWindow;
      return pass.length() <= scheme.longestLength() && (slides || allowsAllPairs(pass));
    }
  }

  /** Every scheme at every length that it reaches, first without gradients, then with them. */
  List<BenchRow> run(Device device) {
    List<BenchRow> rows = new ArrayList<>();
    try (AttentionKernels kernels = new AttentionKernels(device, precision)) {
      for (boolean gradients : new boolean[] {false, true}) {
        for (int length : sizes.lengths()) {
          rows.addAll(rows(kernels, device, length, gradients));
        }
      }
    }
    return rows;
  }

  private List<BenchRow> rows(
      AttentionKernels kernels, Device device, int length, boolean gradients) {
    try (NDManager manager = NDManager.newBaseManager(device, "PyTorch")) {
      long width = (long) sizes.heads() * sizes.headWidth();
      Shape shape = new Shape(1, length, 3 * width);
      NDArray qkv = manager.randomNormal(0, 1, shape, DataType.FLOAT32);
      qkv.setRequiresGradient(gradients);
      Attention.Pass pass = new Attention.Pass(sizes.heads(), sizes.headWidth(), length, gradients);
      return new BenchRow.Subject(
              Part.SCALING, gradients ? "with gradients" : "inference", length, length)
          .rows(timer.run(forms(kernels, pass, qkv)));
    }
  }

  /** The leanest first: every scheme as it runs, then every scheme with all scores at once. */
  private List<Interleaved.Form> forms(
      AttentionKernels kernels, Attention.Pass pass, NDArray qkv_1T3d) {
    List<Interleaved.Form> forms = new ArrayList<>();
    List<Interleaved.Form> references = new ArrayList<>();
    for (Map.Entry<String, PositionalScheme> entry : sizes.schemes().entrySet()) {
      String name = entry.getKey();
      PositionalScheme scheme = entry.getValue();
      if (sizes.reaches(scheme, pass)) {
        Work work = new Work(scheme, kernels, pass);
        AttentionPass timed = work.over(qkv_1T3d);
        Interleaved.Form form = Interleaved.Form.of(name, () -> timed.run(work::asItRuns));
        if (sizes.allowsAllPairs(pass)) {
          forms.add(
              form.against(
                  REFERENCE + name, () -> timed.difference(work::asItRuns, work::allScores)));
          references.add(Interleaved.Form.of(REFERENCE + name, () -> timed.run(work::allScores)));
        } else {
          forms.add(form);
        }
      }
    }
    forms.addAll(references);
    return forms;
  }

  /**
   * The attention of one scheme.
   *
   * @param scheme the scheme
   * @param kernels the kernels
   * @param shape the shape of the pass
   */
  private record Work(PositionalScheme scheme, AttentionKernels kernels, Attention.Pass shape) {

    /** A pass over these queries, keys and values and random learnable numbers. */
    AttentionPass over(NDArray qkv_1T3d) {
      NDList leaves = new NDList(qkv_1T3d);
      for (PositionalParameter parameter : parameters()) {
        long[] axes = parameter.shape().stream().mapToLong(Integer::longValue).toArray();
        NDArray tensor = qkv_1T3d.getManager().randomUniform(LEAST, MOST, new Shape(axes));
        tensor.setRequiresGradient(shape.recordsGradient());
        leaves.add(tensor);
      }
      return new AttentionPass(leaves, scheme.levels(shape.length()), shape.recordsGradient());
    }

    /** Those that attention asks for: embeddings have none here. */
    private List<PositionalParameter> parameters() {
      return scheme.parameters(shape.heads(), shape.heads() * shape.headWidth()).stream()
          .filter(parameter -> parameter.scope() != PositionalParameter.Scope.EMBEDDING)
          .toList();
    }

    Attention asItRuns(NDList leaves, NDManager pass) {
      return Attention.begin(scheme, kernels, named(leaves), shape, pass);
    }

    Attention allScores(NDList leaves, NDManager pass) {
      return PlainAttention.begin(scheme, kernels, named(leaves), shape, pass);
    }

    private PositionalTensors named(NDList leaves) {
      Map<String, NDArray> tensors = new HashMap<>();
      for (PositionalParameter parameter : parameters()) {
        tensors.put(parameter.name(), leaves.get(1 + tensors.size()));
      }
      return (name, block) -> Objects.requireNonNull(tensors.get(name), name);
    }
  }
}
