package org.lengthwise.ngram;

import java.util.Arrays;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.T5;

/**
 * A GPT-2 with T5's biases whose weights are computed from an n-gram model. It predicts what the
 * model predicts, at any length.
 *
 * <p>The residual stream holds [slot 0 | slot 1 | .. | slot n-1 | s | -s | 0]. A slot has V
 * numbers. Slot 0 holds the token, and at the end the logits. Slot j holds the token j - 1 places
 * back. One token of the boundary before a text stands for n - 1 of them, since a head that would
 * look before the first token reads the first token.
 *
 * <p>Queries and keys are 0, so attention is the softmax of the biases. Head h has the bias -B (h -
 * b) for a distance b up to h, and -B beyond: it reads h places back, and exp(-B) is 0 in float32.
 * A hidden unit of an MLP for each history g is S/2 if the last tokens are g, and else exactly 0.
 * It adds the row of g minus the row of g without its oldest token, so the sum over all matching
 * units is the row of the longest known history. A row has mean 0 and, with the numbers s and -s,
 * the same norm R for every history. LayerNorm therefore is the identity with suitable weights.
 *
 * <p>Source: Svete and Cotterell, "Transformers Can Represent n-gram Language Models", NAACL 2024,
 * theorems 3.1 (heads) and 3.2 (layers), which have hard attention and no LayerNorm. Letters as in
 * the package, d width, K blocks, H heads.
 */
public record NGramDecoder(NGramTable table, Variant variant) {
  /** The largest order: T5's table has a bucket of its own for the distances 0 to 15. */
  public static final int LARGEST_ORDER = 17;

  /** B. exp(-B) is 0 in float32, and bfloat16 holds the table's multiples of B exactly. */
  public static final int GAP = 128;

  private static final double EPSILON = 1e-5;

  /** S. GELU is the identity at S/2, and 0 at -S/2. */
  private static final float SCALE = 64;

  /** How the last tokens reach a position. */
  public enum Variant {
    /** n - 1 heads of the first block read them. */
    HEADS,
    /** One head in each of n - 2 blocks moves them one place on. With n = 2, as heads. */
    LAYERS;

    @Override
    public String toString() {
      return EnumName.of(this); // as on the command line
    }
  }

  public static void requireOrder(int order) {
    Checks.require(
        order >= 2 && order <= LARGEST_ORDER,
        "order",
        "2 to %s, because T5's biases tell distances up to %s apart"
            .formatted(LARGEST_ORDER, LARGEST_ORDER - 2),
        order);
  }

  /**
   * {@return the shape of a model}
   *
   * @param order n, from 2 to {@link #LARGEST_ORDER}
   * @param vocabulary V
   * @param numHistories the number of histories of 1 to n - 1 tokens
   */
  public static ModelConfig config(int order, int vocabulary, long numHistories, Variant variant) {
    requireOrder(order);
    int shifts = shifts(order, variant);
    int heads = shifts > 0 ? 1 : order - 1;
    int headWidth = (order * vocabulary + 2 + heads - 1) / heads;
    int width = heads * headWidth;
    long blocks = Math.max(1, (numHistories + 4L * width - 1) / (4L * width));
    return new ModelConfig(
        Math.toIntExact(shifts + blocks), width, heads, vocabulary, new T5(T5.Scale.ONE));
  }

  private static int shifts(int order, Variant variant) {
    return variant == Variant.LAYERS ? order - 2 : 0;
  }

  public ModelConfig config() {
    return config(table.order(), table.vocabulary(), table.size() - 1L, variant);
  }

  /** {@return the tensors, computed by this call} */
  public Tensors tensors() {
    return new Tensors(table, config(), shifts(table.order(), variant));
  }

  public static final class Tensors {
    private final NGramTable table;
    private final ModelConfig config;
    private final int shifts;
    private final int n;
    private final int V;
    private final int d;
    private final double norm;

    private Tensors(NGramTable table, ModelConfig config, int shifts) {
      this.table = table;
      this.config = config;
      this.shifts = shifts;
      this.n = table.order();
      this.V = table.vocabulary();
      this.d = config.width();
      double largest = 0;
      for (int history = 0; history < table.size(); history++) {
        largest = Math.max(largest, square(centred(history)));
      }
      this.norm = largest;
    }

    /**
     * {@return the numbers of a tensor, row-major}
     *
     * @throws IllegalArgumentException if the model has no such tensor
     */
    public float[] numbers(String name) {
      String[] path = name.split("\\.", -1);
      int k = path[1].equals("h") ? Integer.parseInt(path[2]) : 0;
      return switch (name.replaceFirst("\\.h\\.\\d+\\.", ".h.")) {
        case "transformer.wte.weight" -> embeddings();
        case "transformer.position.bias" -> biases();
        case "transformer.h.ln_1.weight" -> filled(d, deviation(before(k), rows(k)));
        case "transformer.h.ln_1.bias" -> filled(d, mean(before(k)));
        case "transformer.h.ln_2.weight" -> filled(d, deviation(after(k), rows(k)));
        case "transformer.h.ln_2.bias" -> filled(d, mean(after(k)));
        case "transformer.ln_f.weight" -> filled(V, deviation(n - 1, norm));
        case "transformer.ln_f.bias" -> filled(V, mean(n - 1));
        case "transformer.h.attn.c_attn.weight" -> values(k);
        case "transformer.h.attn.c_proj.weight" -> places(k);
        case "transformer.h.attn.c_attn.bias" -> new float[3 * d];
        case "transformer.h.attn.c_proj.bias" -> new float[d];
        case "transformer.h.mlp.c_fc.weight" -> matches(k);
        case "transformer.h.mlp.c_fc.bias" -> thresholds(k);
        case "transformer.h.mlp.c_proj.weight" -> k == 0 && shifts > 0 ? moves() : changes(k);
        case "transformer.h.mlp.c_proj.bias" -> k == shifts ? floats(padded(0)) : new float[d];
        default -> throw new IllegalArgumentException("no tensor " + name);
      };
    }

    private float[] embeddings() {
      float[] wte_Vd = new float[V * d];
      for (int token = 0; token < V; token++) {
        wte_Vd[token * d + token] = 1;
      }
      return wte_Vd;
    }

    /** T5's table [buckets, H]. With one head that shifts, it reads one place back. */
    private float[] biases() {
      int heads = config.heads();
      float[] biases = new float[T5.NUM_BUCKETS * heads];
      for (int head = 0; head < heads; head++) {
        int distance = shifts > 0 ? 1 : head;
        for (int bucket = 0; bucket < T5.NUM_BUCKETS; bucket++) {
          int steps = bucket <= distance ? distance - bucket : 1;
          biases[bucket * heads + head] = -GAP * steps;
        }
      }
      return biases;
    }

    /** The ones in the stream before the attention of a block. */
    private int before(int k) {
      return k == 0 ? 1 : Math.min(shifts > 0 ? k + 1 : n - 1, n - 1);
    }

    /** The ones in the stream after the attention of a block. */
    private int after(int k) {
      return Math.min(shifts > 0 ? k + 2 : n - 1, n - 1);
    }

    /** R² where the stream holds a row at the LayerNorms of a block, and 0 elsewhere. */
    private double rows(int k) {
      return k > shifts ? norm : 0;
    }

    private double mean(int ones) {
      return (double) ones / d;
    }

    private double deviation(int ones, double square) {
      return Math.sqrt((ones + square) / d - mean(ones) * mean(ones) + EPSILON);
    }

    private float[] filled(int count, double value) {
      float[] numbers = new float[d];
      Arrays.fill(numbers, 0, count, (float) value);
      return numbers;
    }

    /** The slot whose tokens the heads of a block copy, if the block has such heads. */
    private int source(int k) {
      return k == 0 ? 0 : k + 1;
    }

    private boolean copies(int k) {
      return k < Math.max(1, shifts);
    }

    private float[] values(int k) {
      float[] qkv = new float[3 * d * d];
      for (int head = 0; copies(k) && head < config.heads(); head++) {
        for (int token = 0; token < V; token++) {
          int value = 2 * d + head * config.headWidth() + token;
          qkv[value * d + source(k) * V + token] = 1;
        }
      }
      return qkv;
    }

    private float[] places(int k) {
      float[] out = new float[d * d];
      for (int head = 0; copies(k) && head < config.heads(); head++) {
        int slot = shifts > 0 ? k + 2 : head + 1;
        for (int token = 0; token < V; token++) {
          int value = head * config.headWidth() + token;
          out[(slot * V + token) * d + value] = 1;
          if (shifts == 0 && head == 0) {
            out[token * d + value] = -1; // the residual stream keeps the token in slot 0
          }
        }
      }
      return out;
    }

    /** The history of a hidden unit, or 0 if the unit has none. */
    private int history(int k, int unit) {
      long history = 1 + (k - shifts) * 4L * d + unit;
      return k < shifts || history >= table.size() ? 0 : (int) history;
    }

    private float[] matches(int k) {
      float[] up = new float[4 * d * d];
      for (int unit = 0; unit < 4 * d; unit++) {
        int history = history(k, unit);
        for (int age = 0; age < table.length(history); age++) {
          up[unit * d + (age + 1) * V + table.token(history, age)] = SCALE;
        }
        if (k == 0 && shifts > 0 && unit < V) {
          up[unit * d + unit] = SCALE;
        }
      }
      return up;
    }

    /** A unit of k tokens has the input S/2 if all of them match, and at most -S/2 otherwise. */
    private float[] thresholds(int k) {
      float[] offsets = new float[4 * d];
      for (int unit = 0; unit < 4 * d; unit++) {
        int history = history(k, unit);
        boolean isToken = k == 0 && shifts > 0 && unit < V;
        int tokens = isToken ? 1 : table.length(history);
        offsets[unit] = tokens == 0 ? 0 : SCALE * (0.5f - tokens);
      }
      return offsets;
    }

    private float[] moves() {
      float[] down = new float[d * 4 * d];
      for (int token = 0; token < V; token++) {
        down[token * 4 * d + token] = -2 / SCALE;
        down[(V + token) * 4 * d + token] = 2 / SCALE;
      }
      return down;
    }

    private float[] changes(int k) {
      float[] down = new float[d * 4 * d];
      for (int unit = 0; unit < 4 * d; unit++) {
        int history = history(k, unit);
        if (history > 0) {
          double[] row = padded(history);
          double[] shorter = padded(table.shorter(history));
          for (int i = 0; i < d; i++) {
            down[i * 4 * d + unit] = (float) ((row[i] - shorter[i]) * 2 / SCALE);
          }
        }
      }
      return down;
    }

    private double[] centred(int history) {
      double[] row = table.row(history);
      double mean = Arrays.stream(row).average().orElseThrow();
      Arrays.setAll(row, i -> row[i] - mean);
      return row;
    }

    private static double square(double[] row) {
      return Arrays.stream(row).map(x -> x * x).sum();
    }

    /** A row as the stream holds it: in slot 0 with mean 0, and s and -s for the norm R. */
    private double[] padded(int history) {
      double[] row = centred(history);
      double[] stream = Arrays.copyOf(row, d);
      double s = Math.sqrt(Math.max(0, norm - square(row)) / 2);
      stream[n * V] = s;
      stream[n * V + 1] = -s;
      return stream;
    }

    private static float[] floats(double[] numbers) {
      float[] floats = new float[numbers.length];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = (float) numbers[i];
      }
      return floats;
    }
  }
}
