package org.lengthwise.positional.attention;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.PositionalValues;
import org.lengthwise.positional.ReferenceAttention;

/** Random queries, keys, values and learnable numbers, as doubles and as tensors. */
record AttentionCase(
    PositionalScheme scheme,
    int length,
    double[] qkv,
    Map<String, double[]> parameters,
    double[] cotangent,
    boolean causal,
    int block) {
  /** The name of qkv among the gradients. */
  static final String INPUTS = "qkv";

  static final int BATCH = 2;
  static final int HEADS = 3;

  /** The fused kernels of GPUs require multiples of 8 in bfloat16. */
  static final int HEAD_WIDTH = 8;

  static final int WIDTH = HEADS * HEAD_WIDTH;

  static AttentionCase random(PositionalScheme scheme, int length, boolean causal, Random random) {
    Map<String, double[]> parameters = new LinkedHashMap<>();
    for (PositionalParameter parameter : scheme.parameters(HEADS, WIDTH)) {
      double low = Math.max(-1, parameter.bounds().low() + 0.05);
      double high = Math.min(low + 1.5, parameter.bounds().high());
      parameters.put(parameter.name(), random.doubles(parameter.size(), low, high).toArray());
    }
    return new AttentionCase(
        scheme,
        length,
        random.doubles((long) BATCH * length * rowWidth(scheme), -2, 2).toArray(),
        parameters,
        random.doubles((long) BATCH * length * WIDTH, -1, 1).toArray(),
        causal,
        0);
  }

  /** The numbers of a position: query, key and value, and what it carries. */
  private static int rowWidth(PositionalScheme scheme) {
    return 3 * WIDTH + scheme.cost(HEADS).numCarried();
  }

  int rowWidth() {
    return rowWidth(scheme);
  }

  /** The first positions of every sequence. */
  AttentionCase prefix(int prefix) {
    double[] shorter = new double[BATCH * prefix * rowWidth()];
    for (int b = 0; b < BATCH; b++) {
      System.arraycopy(
          qkv, b * length * rowWidth(), shorter, b * prefix * rowWidth(), prefix * rowWidth());
    }
    return new AttentionCase(
        scheme,
        prefix,
        shorter,
        parameters,
        Arrays.copyOf(cotangent, BATCH * prefix * WIDTH),
        causal,
        block);
  }

  /** This case with other tokens from a position on. */
  AttentionCase withRandomTail(int from, Random random) {
    double[] changed = qkv.clone();
    for (int i = 0; i < changed.length; i++) {
      if (i / rowWidth() % length >= from) {
        changed[i] = random.nextDouble();
      }
    }
    return new AttentionCase(scheme, length, changed, parameters, cotangent, causal, block);
  }

  /** The same numbers in arrays of their own. */
  AttentionCase copy() {
    Map<String, double[]> copied = new LinkedHashMap<>();
    parameters.forEach((name, numbers) -> copied.put(name, numbers.clone()));
    return new AttentionCase(scheme, length, qkv.clone(), copied, cotangent, causal, block);
  }

  /** This case in another block of the model, under a scheme with the same parameters. */
  AttentionCase with(PositionalScheme other, int otherBlock) {
    return new AttentionCase(other, length, qkv, parameters, cotangent, causal, otherBlock);
  }

  /** The sums of the values by weights [B, H, T, T]. */
  float[] weighted(float[] weights) {
    float[] sums = new float[BATCH * length * WIDTH];
    for (int place = 0; place < sums.length; place++) {
      int feature = place % WIDTH;
      int query = place / WIDTH % length;
      int b = place / WIDTH / length;
      int row = ((b * HEADS + feature / HEAD_WIDTH) * length + query) * length;
      for (int key = 0; key < length; key++) {
        double value = qkv[(b * length + key) * rowWidth() + 2 * WIDTH + feature];
        sums[place] += (float) (weights[row + key] * value);
      }
    }
    return sums;
  }

  float[] prefixOfResult(float[] result, int prefix) {
    float[] shorter = new float[BATCH * prefix * WIDTH];
    for (int b = 0; b < BATCH; b++) {
      System.arraycopy(result, b * length * WIDTH, shorter, b * prefix * WIDTH, prefix * WIDTH);
    }
    return shorter;
  }

  /** The number of positions that the last one depends on, by the reference bias of each layer. */
  int numReached(int layers) {
    BitSet reached = new BitSet();
    reached.set(length - 1);
    for (int level = scheme.reach().levels(length) - 1; level >= 0; level--) {
      for (int layer = layers - 1; layer >= 0; layer--) {
        PositionalValues values = with(scheme, layer).values();
        BitSet queries = (BitSet) reached.clone();
        for (int n = 0; n < length; n++) {
          if (isAttended(n, queries, values, level)) {
            reached.set(n);
          }
        }
      }
    }
    return reached.cardinality();
  }

  private boolean isAttended(int key, BitSet queries, PositionalValues values, int level) {
    return queries.stream()
        .filter(query -> query >= key)
        .anyMatch(
            query -> scheme.bias(values, 0, level, query, query - key) != Double.NEGATIVE_INFINITY);
  }

  /** The result [B, T, d] according to the plain-double reference. */
  float[] reference(int level) {
    return reference(level, 0);
  }

  /** The last position [B, 1, d] of {@link #reference}. */
  float[] lastOfReference(int level) {
    return reference(level, length - 1);
  }

  private float[] reference(int level, int from) {
    float[] result = new float[BATCH * (length - from) * WIDTH];
    int end = 0;
    for (int b = 0; b < BATCH; b++) {
      Sequence sequence = sequence(b);
      for (int t = from; t < length; t++) {
        for (int h = 0; h < HEADS; h++) {
          for (double number : sequence.result(h, level, t)) {
            result[end++] = (float) number;
          }
        }
      }
    }
    return result;
  }

  /** A sequence as the plain-double reference reads it. */
  record Sequence(ReferenceAttention attention, ReferenceAttention.Rows rows, double[][][] v_HTD) {

    /** The result [D] of one query. */
    double[] result(int head, int level, int query) {
      return attention.attend(rows, v_HTD[head], head, level, query);
    }
  }

  Sequence sequence(int b) {
    ReferenceAttention attention = ReferenceAttention.of(scheme, values(), causal, length);
    return new Sequence(attention, attention.rows(part(b, 0), part(b, 1), carried(b)), part(b, 2));
  }

  /** The reference score of one query and one key, whatever their positions. */
  double score(int head, int query, int key) {
    PositionalValues values = values();
    PositionalScheme own = scheme.inBlock(block);
    double[] q_D = own.rotate(part(0, 0)[head][0], query, length);
    double[] k_D = own.rotate(part(0, 1)[head][0], key, length);
    long distance = (long) query - key;
    return own.score(values, head, q_D, k_D, distance) + own.bias(values, head, 0, query, distance);
  }

  /** The learnable numbers of the block. */
  PositionalValues values() {
    return new PositionalValues(HEADS, HEAD_WIDTH, block, length, parameters);
  }

  /** Queries, keys or values [H, T, D] of a sequence. */
  private double[][][] part(int b, int which) {
    double[][][] part_HTD = new double[HEADS][length][];
    for (int h = 0; h < HEADS; h++) {
      for (int t = 0; t < length; t++) {
        int start = (b * length + t) * rowWidth() + which * WIDTH + h * HEAD_WIDTH;
        part_HTD[h][t] = Arrays.copyOfRange(qkv, start, start + HEAD_WIDTH);
      }
    }
    return part_HTD;
  }

  /** What the positions of a sequence carry [T, E]. */
  private double[][] carried(int b) {
    double[][] carried_TE = new double[length][];
    for (int t = 0; t < length; t++) {
      int end = (b * length + t + 1) * rowWidth();
      carried_TE[t] = Arrays.copyOfRange(qkv, end - rowWidth() + 3 * WIDTH, end);
    }
    return carried_TE;
  }

  /** Compares all gradients of a backward pass with finite differences. */
  void assertGradients(Map<String, float[]> gradients, int level, String context) {
    for (Map.Entry<String, float[]> gradient : gradients.entrySet()) {
      int[] places = IntStream.range(0, gradient.getValue().length).toArray();
      assertGradient(gradient.getKey(), gradient.getValue(), places, level, context);
    }
  }

  /** Compares some gradients. About half of those of qkv are at the last two positions. */
  void assertSomeGradients(Map<String, float[]> gradients, int level, Random random) {
    for (Map.Entry<String, float[]> gradient : gradients.entrySet()) {
      int size = gradient.getValue().length;
      boolean isInput = gradient.getKey().equals(INPUTS);
      int[] last = random.ints(isInput ? 4 : 0, Math.max(0, size - 2 * rowWidth()), size).toArray();
      int[] places =
          IntStream.concat(random.ints(isInput ? 3 : 2, 0, size), Arrays.stream(last)).toArray();
      String context = "T = %s, level %s".formatted(length, level);
      assertGradient(gradient.getKey(), gradient.getValue(), places, level, context);
    }
  }

  private void assertGradient(
      String name, float[] gradient, int[] places, int level, String context) {
    FiniteDifferences differences = new FiniteDifferences(this, level);
    for (int place : places) {
      double expected = differences.at(name, place);
      assertThat((double) gradient[place])
          .as("%s, gradient of %s[%d]", context, name, place)
          .isEqualTo(expected, within(2e-4 * Math.max(1, Math.abs(expected))));
    }
  }

  Tensors tensors(NDManager manager, boolean requiresGradient) {
    Map<String, NDArray> biases = new LinkedHashMap<>();
    for (PositionalParameter parameter : scheme.parameters(HEADS, WIDTH)) {
      double[] values = requireNonNull(parameters.get(parameter.name()));
      long[] shape = parameter.shape().stream().mapToLong(Integer::longValue).toArray();
      biases.put(parameter.name(), tensor(manager, values, new Shape(shape), requiresGradient));
    }
    return new Tensors(
        tensor(manager, qkv, new Shape(BATCH, length, rowWidth()), requiresGradient),
        biases,
        tensor(manager, cotangent, new Shape(BATCH, length, WIDTH), false));
  }

  private static NDArray tensor(
      NDManager manager, double[] values, Shape shape, boolean requiresGradient) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    NDArray array = manager.create(floats, shape);
    array.setRequiresGradient(requiresGradient);
    return array;
  }

  /** The tensors of a case on a device. */
  record Tensors(NDArray qkv, Map<String, NDArray> biases, NDArray cotangent)
      implements AutoCloseable {

    NDArray bias(String name, int block) {
      return requireNonNull(biases.get(name));
    }

    /** The gradients after a backward pass, by name. */
    Map<String, float[]> gradients() {
      Map<String, float[]> gradients = new LinkedHashMap<>();
      gradients.put(INPUTS, qkv.getGradient().toFloatArray());
      biases.forEach((name, array) -> gradients.put(name, array.getGradient().toFloatArray()));
      return gradients;
    }

    @Override
    public void close() {
      qkv.close();
      biases.values().forEach(NDArray::close);
      cotangent.close();
    }
  }
}
