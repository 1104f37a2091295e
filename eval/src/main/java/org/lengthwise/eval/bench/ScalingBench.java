package org.lengthwise.eval.bench;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.lengthwise.positional.BiasParameter;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.Precision;

/**
 * What one block's attention costs under each scheme, at growing lengths.
 *
 * <p>A pass prepares what a forward pass of a model would (tables of biases, rotations) and attends
 * once at every level that a model of this length has. Queries, keys and values are random, and so
 * are learnable numbers.
 *
 * @param sizes the shapes; B is 1
 * @param timer how passes are timed
 */
record ScalingBench(Sizes sizes, Interleaved timer) {
  /** Inside the bounds of every learnable number there is. */
  private static final float LEAST = 0.1f;

  private static final float MOST = 1;

  private static final String REFERENCE = "dense masks of ";

  /**
   * The shapes.
   *
   * @param heads H
   * @param headWidth D
   * @param lengths each T, shortest first
   * @param longestDense the longest T at which a scheme that attends to all earlier positions is
   *     timed, and the dense masked form of RegularGPT
   * @param longestWithGradients the longest T of a forward and backward pass
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

    private boolean reaches(PositionalScheme scheme, int length) {
      boolean slides = scheme instanceof RegularGpt || scheme instanceof SlidingWindow;
      return length <= scheme.longestLength() && (slides || length <= longestDense);
    }
  }

  /** Every scheme at every length that it reaches, first without gradients, then with them. */
  List<BenchRow> run(Device device) {
    List<BenchRow> rows = new ArrayList<>();
    try (AttentionKernels kernels = new AttentionKernels(device, Precision.FLOAT32)) {
      for (boolean gradients : new boolean[] {false, true}) {
        for (int length : sizes.lengths()) {
          if (!gradients || length <= sizes.longestWithGradients()) {
            rows.addAll(rows(kernels, device, length, gradients));
          }
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
      List<Interleaved.Timed> timed = timer.run(forms(kernels, pass, qkv));
      BenchRow.Subject subject =
          new BenchRow.Subject(
              Part.SCALING, gradients ? "with gradients" : "inference", length, length);
      return timed.stream().map(own -> subject.row(own, comparisons(own, timed))).toList();
    }
  }

  /** A scheme is compared with its own dense masked form, where that was timed too. */
  private static List<BenchRow.Comparison> comparisons(
      Interleaved.Timed own, List<Interleaved.Timed> all) {
    return all.stream()
        .filter(to -> to.form().equals(REFERENCE + own.form()))
        .map(to -> BenchRow.compare(own, to))
        .toList();
  }

  private List<Interleaved.Form> forms(
      AttentionKernels kernels, Attention.Pass shape, NDArray qkv_1T3d) {
    List<Interleaved.Form> forms = new ArrayList<>();
    sizes
        .schemes()
        .forEach(
            (name, scheme) -> {
              if (sizes.reaches(scheme, shape.length())) {
                Work work = new Work(scheme, kernels, tensors(scheme, qkv_1T3d), shape, qkv_1T3d);
                forms.add(Interleaved.Form.of(name, () -> work.pass(work::structured)));
                if (scheme instanceof RegularGpt regular
                    && shape.length() <= sizes.longestDense()) {
                  forms.add(
                      Interleaved.Form.of(
                          REFERENCE + name, () -> work.pass(of -> work.masked(regular))));
                }
              }
            });
    return forms;
  }

  private Map<String, NDArray> tensors(PositionalScheme scheme, NDArray qkv_1T3d) {
    Map<String, NDArray> tensors = new HashMap<>();
    int width = sizes.heads() * sizes.headWidth();
    for (BiasParameter parameter : scheme.parameters(sizes.heads(), width)) {
      long[] axes = parameter.shape().stream().mapToLong(Integer::longValue).toArray();
      NDArray tensor = qkv_1T3d.getManager().randomUniform(LEAST, MOST, new Shape(axes));
      tensor.setRequiresGradient(qkv_1T3d.hasGradient());
      tensors.put(parameter.name(), tensor);
    }
    return tensors;
  }

  /**
   * The attention of one scheme.
   *
   * @param scheme the scheme
   * @param kernels the kernels
   * @param tensors its learnable numbers
   * @param shape the shape of the pass
   * @param qkv_1T3d queries, keys and values
   */
  private record Work(
      PositionalScheme scheme,
      AttentionKernels kernels,
      Map<String, NDArray> tensors,
      Attention.Pass shape,
      NDArray qkv_1T3d) {

    double pass(Function<NDManager, Attention> begin) {
      try (NDManager pass = qkv_1T3d.getManager().newSubManager()) {
        if (!shape.recordsGradient()) {
          return attend(begin.apply(pass), pass, out -> {});
        }
        try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
          Attention attention = begin.apply(pass);
          double last = attend(attention, pass, out -> collector.backward(out.sum()));
          NDArray gradient = qkv_1T3d.getGradient();
          gradient.attach(pass);
          gradient.getFloat(0, 0, 0); // waits for the device
          return last;
        }
      }
    }

    private double attend(Attention attention, NDManager pass, Consumer<NDArray> then) {
      double last = 0;
      for (int level = 0; level < scheme.levels(shape.length()); level++) {
        try (NDArray out = attention.attend(qkv_1T3d, 0, level)) {
          out.attach(pass);
          then.accept(out);
          last += out.getFloat(0, shape.length() - 1L, 0); // waits for the device
        }
      }
      return last;
    }

    Attention structured(NDManager pass) {
      return Attention.begin(scheme, kernels, (name, block) -> tensor(name), shape, pass);
    }

    Attention masked(RegularGpt regular) {
      return (qkv_BT3d, block, level) ->
          kernels.masked(qkv_BT3d, tensor("r"), regular.dilation(level), shape.recordsGradient());
    }

    private NDArray tensor(String name) {
      return Objects.requireNonNull(tensors.get(name), name);
    }
  }
}
