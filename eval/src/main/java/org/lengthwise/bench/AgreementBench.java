package org.lengthwise.bench;

import ai.djl.Device;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.lengthwise.bench.BenchRow.Contrast;
import org.lengthwise.bench.RoundRobinTimer.Workload;
import org.lengthwise.config.Checks;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.Unit;
import org.lengthwise.error.ConfigException;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.safetensors.SafetensorsFile;

/**
 * Whether a device computes what a CPU computes: one block's attention of each scheme against the
 * plain-double reference, and the losses of small models against those of a CPU in float32. The
 * expected numbers are read from a file, so the device does not wait for the reference.
 *
 * @param heads H, the number of heads of the attention
 * @param headWidth D, the width of a head
 * @param length T, the length of its sequence
 * @param values how many attended values of each level are compared
 * @param gradients how many gradients of each tensor
 * @param schemes the schemes of the attention by their names in the table
 * @param losses the models whose losses are compared, at the first length
 * @param limits the largest differences, by precision
 */
public record AgreementBench(
    int heads,
    int headWidth,
    @Unit("positions") int length,
    int values,
    int gradients,
    Map<String, PositionalScheme> schemes,
    SchemesBench losses,
    Map<Precision, Limits> limits)
    implements BenchPart.Sizes {
  private static final RandomStreams STREAMS = new RandomStreams(1);
  static final String SIZES = "sizes";

  /**
   * The largest differences.
   *
   * @param values of an attended value
   * @param gradients of a tensor's gradients: the length of the vector of differences over that of
   *     the gradients if it exceeds 1
   * @param losses of the loss of a step
   * @param factors by how much the limits of a scheme's attention are larger; 1 for other schemes
   */
  public record Limits(
      double values, double gradients, double losses, Map<String, Double> factors) {}

  public AgreementBench {
    Checks.atLeast("values", values, 1);
    Checks.atLeast("gradients", gradients, 1);
    Map<String, PositionalScheme> attending = new LinkedHashMap<>(schemes);
    attending.values().removeIf(scheme -> scheme.recurrence(heads, heads * headWidth).isPresent());
    schemes = Collections.unmodifiableMap(attending);
    limits = Map.copyOf(limits);
  }

  /** What decides the expected numbers. */
  String sizes() throws IOException {
    return ConfigLoader.strictMapper()
        .writeValueAsString(List.of(heads, headWidth, length, values, gradients, schemes, losses));
  }

  private Limits limits(Precision precision) {
    return Objects.requireNonNull(limits.get(precision));
  }

  AttentionSample sample(String name) {
    PositionalScheme scheme = Objects.requireNonNull(schemes.get(name));
    return AttentionSample.random(scheme, heads, headWidth, length, STREAMS.stream(name));
  }

  /** The compared places of a tensor of values or of gradients. */
  int[] places(boolean isValues, int size) {
    int count = isValues ? values : gradients;
    return count < size
        ? STREAMS.stream("places of " + size).ints(count, 0, size).toArray()
        : IntStream.range(0, size).toArray();
  }

  static String tensor(String name, int result) {
    return name + "/attention/" + result;
  }

  static String losses(String name) {
    return name + "/losses";
  }

  static float[] losses(TrainingBench sizes, Precision precision, Device... devices)
      throws IOException {
    float[] losses = new float[sizes.steps()];
    try (TrainingStep step = TrainingStep.ofDecoder(sizes, Numerics.of(precision), devices)) {
      for (int i = 0; i < losses.length; i++) {
        losses[i] = (float) step.next();
      }
    }
    return losses;
  }

  @Override
  public List<BenchRow> run(BenchSetting setting) throws IOException {
    List<BenchRow> rows = new ArrayList<>();
    try (SafetensorsFile expected = SafetensorsFile.open(setting.numbers())) {
      if (!sizes().equals(expected.metadata().get(SIZES))) {
        throw new ConfigException(
            setting.numbers().toString(),
            "numbers for these sizes of the part agreement",
            "those for others",
            "use conf/bench.yaml's sizes, or write the numbers with scripts/reference.sh --numbers");
      }
      Workload work = new Workload(BenchPart.AGREEMENT, "attention", length, length);
      for (String name : schemes.keySet()) {
        rows.addAll(
            setting.rows(
                row -> row.variant().equals(name) && row.workload().equals(work.name()),
                work,
                name,
                () -> List.of(attention(work, name, expected, setting.device()))));
      }
      for (Map.Entry<String, TrainingBench> each :
          losses.trainings(losses.lengths().get(0)).entrySet()) {
        String name = each.getKey();
        TrainingBench sizes = each.getValue();
        Workload training =
            new Workload(
                BenchPart.AGREEMENT,
                sizes.steps() + " losses",
                sizes.length(),
                sizes.tokensPerStep());
        rows.addAll(
            setting.rows(
                row -> row.variant().equals(name) && row.workload().equals(training.name()),
                training,
                name,
                () -> List.of(trained(training, name, sizes, expected, setting.device()))));
      }
    }
    return rows;
  }

  private BenchRow attention(Workload work, String name, SafetensorsFile expected, Device device)
      throws IOException {
    long start = System.nanoTime();
    List<Contrast> contrasts = new ArrayList<>();
    AttentionSample sample = sample(name);
    for (Precision precision : Precision.values()) {
      double values = 0;
      double gradients = 0;
      try (NDManager manager = NDManager.newBaseManager(device, "PyTorch");
          AttentionKernels kernels = new AttentionKernels(device, precision)) {
        ScalingBench.TimedScheme attention =
            new ScalingBench.TimedScheme(
                sample.scheme(),
                kernels.withGradient(),
                new Attention.Pass(heads, headWidth, length, true));
        NDList results =
            new AttentionPass(sample.leaves(manager), sample.levels(), true)
                .results(attention::fast, manager);
        for (int result = 0; result < results.size(); result++) {
          boolean isValues = result < sample.levels();
          float[] all = results.get(result).toFloatArray();
          int[] at = places(isValues, all.length);
          float[] found = new float[at.length];
          IntStream.range(0, at.length).forEach(i -> found[i] = all[at[i]]);
          float[] numbers = expected.numbers(tensor(name, result)).floats().array();
          if (isValues) {
            values = Math.max(values, largest(found, numbers)); // NaN stays
          } else {
            gradients = Math.max(gradients, apart(found, numbers));
          }
        }
      }
      Limits most = limits(precision);
      double factor = most.factors.getOrDefault(name, 1.0);
      String label = precision.label();
      contrasts.add(new Contrast(label + " values", values, factor * most.values));
      contrasts.add(new Contrast(label + " gradients", gradients, factor * most.gradients));
    }
    return row(work, name, start, contrasts);
  }

  /** Also with two replicas on one device, which have the losses of one model. */
  private BenchRow trained(
      Workload work, String name, TrainingBench sizes, SafetensorsFile numbers, Device device)
      throws IOException {
    long start = System.nanoTime();
    float[] expected = numbers.numbers(losses(name)).floats().array();
    List<Contrast> contrasts = new ArrayList<>();
    for (Precision precision : Precision.values()) {
      double apart = largest(losses(sizes, precision, device), expected);
      String label = precision.label() + " losses";
      contrasts.add(new Contrast(label, apart, limits(precision).losses));
    }
    double apart = largest(losses(sizes, Precision.FLOAT32, device, device), expected);
    contrasts.add(new Contrast("losses of two replicas", apart, limits(Precision.FLOAT32).losses));
    return row(work, name, start, contrasts);
  }

  private static BenchRow row(Workload work, String name, long start, List<Contrast> contrasts) {
    BenchRow.Timing once =
        BenchRow.Timing.of(
            new double[] {(System.nanoTime() - start) / RoundRobinTimer.NANOS_PER_MILLISECOND});
    return new BenchRow(
        work.part(),
        work.name(),
        name,
        work.length(),
        work.tokens(),
        once,
        null,
        contrasts,
        null,
        null,
        null);
  }

  private static double largest(float[] found, float[] expected) {
    return IntStream.range(0, expected.length)
        .mapToDouble(i -> Math.abs(found[i] - expected[i]))
        .reduce(0, Math::max);
  }

  private static double apart(float[] found, float[] expected) {
    double apart = 0;
    double all = 0;
    for (int i = 0; i < expected.length; i++) {
      apart += Math.pow(found[i] - expected[i], 2);
      all += Math.pow(expected[i], 2);
    }
    return Math.sqrt(apart / Math.max(1, all));
  }
}
