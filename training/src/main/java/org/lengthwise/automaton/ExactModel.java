package org.lengthwise.automaton;

import java.util.Arrays;
import org.lengthwise.config.Checks;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.DecoderForm;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.RegularGpt;

/**
 * A RegularGPT whose weights are computed from an automaton of n states. It labels every string
 * right, at any length.
 *
 * <p>A row holds [S | A_1 | .. | A_(C-1) | 0]. Each part is a flattened n x n matrix of zeros and
 * ones, in which row q is one-hot of the state that is reached from q. S is the map of the string
 * below a row. The embedding of a symbol is its map, and the pad is the identity, so an absent
 * prefix changes nothing. Attention copies S of the row j places before the last one of a window
 * into A_j: queries and keys are 0, and r chooses the row. The MLP multiplies the C maps: a hidden
 * unit for each path of C steps, or two, whose difference is exactly 0 or 1 for errors below 1/4.
 * More units erase what the residual stream holds. LayerNorm is the identity, because every row has
 * the same number of ones. The output adds the entries of S from state 0 to the states of a label.
 *
 * <p>Source: Lemma 1 of the paper, which leaves out the residual stream, LayerNorm and the start of
 * the sequence. Letters as in the package, n states, d width, H heads, D = d / H.
 */
public record ExactModel(Automaton automaton, int chunk, int width, int heads) {
  private static final double EPSILON = 1e-5;

  /** A score of this size has a weight of exactly 0 in float32. */
  private static final float FORBIDDEN = -10_000;

  public ExactModel {
    Checks.atLeast("chunk", chunk, 2);
    Checks.atLeast("width", width, 1);
    Checks.atLeast("heads", heads, 1);
    Checks.require(width % heads == 0, "heads", "a divisor of width " + width, heads);
    long squares = (long) automaton.numStates() * automaton.numStates();
    long headsNeeded = (chunk - 1) * ((squares * heads + width - 1) / width);
    long units = Math.round(Math.pow(automaton.numStates(), chunk + 1.0)) + chunk * squares;
    if (chunk * squares > width || headsNeeded > heads || units > 4L * width) {
      throw new ConfigException(
          "--width and --heads",
          ("for %s states and chunks of %s: a width of at least %s, and of %s for the hidden units"
                  + " of the MLP, with at least %s heads of %s numbers")
              .formatted(
                  automaton.numStates(),
                  chunk,
                  chunk * squares,
                  (units + 3) / 4,
                  headsNeeded,
                  width / heads),
          "width %s and %s heads".formatted(width, heads),
          "choose a larger width, or a smaller chunk");
    }
  }

  /** {@return the shape of the model, a classifier in the form of the authors' code} */
  public ModelConfig config() {
    DecoderForm form =
        new DecoderForm(
            DecoderForm.Norm.POST,
            DecoderForm.Activation.RELU,
            false,
            DecoderForm.EmbeddingScale.SQRT_WIDTH,
            DecoderForm.Initial.FAN_IN,
            true);
    RegularGpt scheme = new RegularGpt(chunk, RegularGpt.Edge.PAD);
    return new ModelConfig(
        1, width, heads, automaton.numSymbols(), scheme, form, automaton.numLabels());
  }

  public float[] tensor(String name) {
    return switch (name) {
      case "transformer.wte.weight" -> embeddings();
      case "transformer.h.0.attn.pad" -> pad();
      case "transformer.h.0.attn.r" -> r();
      case "transformer.h.0.attn.c_attn.weight" -> values();
      case "transformer.h.0.attn.c_proj.weight" -> places();
      case "transformer.h.0.ln_1.weight" -> filled(gain(chunk));
      case "transformer.h.0.ln_1.bias" -> filled(mean(chunk));
      case "transformer.h.0.mlp.c_fc.weight" -> products().up;
      case "transformer.h.0.mlp.c_fc.bias" -> products().offsets;
      case "transformer.h.0.mlp.c_proj.weight" -> products().down;
      case "transformer.h.0.mlp.c_proj.bias" -> new float[width];
      case "transformer.h.0.ln_2.weight" -> filled(gain(1));
      case "transformer.h.0.ln_2.bias" -> filled(mean(1));
      case "classifier.weight" -> output();
      case "classifier.bias" -> new float[automaton.numLabels()];
      default -> throw new IllegalArgumentException("no tensor " + name);
    };
  }

  private int n() {
    return automaton.numStates();
  }

  /** The place of an entry of S; A_j begins j n^2 later. */
  private int entry(int from, int to) {
    return from * n() + to;
  }

  private float[] embeddings() {
    float[] wte_Vd = new float[automaton.numSymbols() * width];
    for (int symbol = 0; symbol < automaton.numSymbols(); symbol++) {
      for (int state = 0; state < n(); state++) {
        int at = symbol * width + entry(state, automaton.next(state, symbol));
        wte_Vd[at] = (float) (1 / Math.sqrt(width));
      }
    }
    return wte_Vd;
  }

  private float[] pad() {
    float[] pad_d = new float[width];
    for (int state = 0; state < n(); state++) {
      pad_d[entry(state, state)] = 1;
    }
    return pad_d;
  }

  private int headWidth() {
    return width / heads;
  }

  /** The heads that copy one map. */
  private int headsOfAMap() {
    return (n() * n() + headWidth() - 1) / headWidth();
  }

  private float[] r() {
    float[] r_HC = new float[heads * chunk];
    for (int head = 0; head < (chunk - 1) * headsOfAMap(); head++) {
      Arrays.fill(r_HC, head * chunk, (head + 1) * chunk, FORBIDDEN);
      r_HC[head * chunk + 1 + head / headsOfAMap()] = 0;
    }
    return r_HC;
  }

  /** The place of an entry of S among the values of the heads that copy it to A_j. */
  private int value(int j, int entry) {
    return (j - 1) * headsOfAMap() * headWidth() + entry;
  }

  private float[] values() {
    float[] qkv = new float[3 * width * width];
    for (int j = 1; j < chunk; j++) {
      for (int entry = 0; entry < n() * n(); entry++) {
        qkv[(2 * width + value(j, entry)) * width + entry] = 1;
      }
    }
    return qkv;
  }

  private float[] places() {
    float[] out = new float[width * width];
    for (int j = 1; j < chunk; j++) {
      for (int entry = 0; entry < n() * n(); entry++) {
        out[(j * n() * n() + entry) * width + value(j, entry)] = 1;
      }
    }
    return out;
  }

  private float[] output() {
    float[] weight = new float[automaton.numLabels() * width];
    for (int state = 0; state < n(); state++) {
      int label = automaton.labels().get(state);
      if (label != Automaton.NONE) {
        weight[label * width + entry(0, state)] = 1;
      }
    }
    return weight;
  }

  /** The mean of a row with n ones for each of some maps. */
  private double mean(int maps) {
    return (double) maps * n() / width;
  }

  private double gain(int maps) {
    double mean = mean(maps);
    return Math.sqrt(mean - mean * mean + EPSILON);
  }

  private float[] filled(double value) {
    float[] numbers = new float[width];
    Arrays.fill(numbers, (float) value);
    return numbers;
  }

  private Products products() {
    int paths = Math.toIntExact(Math.round(Math.pow(n(), chunk + 1.0)));
    boolean isExact = 2 * paths + chunk * n() * n() <= 4 * width;
    Products products = new Products(width);
    int[] states = new int[chunk + 1];
    for (int path = 0; path < paths; path++) {
      for (int rest = path, step = 0; step <= chunk; step++, rest /= n()) {
        states[step] = rest % n();
      }
      int from = states[0];
      int to = states[chunk];
      if (isExact) {
        addPath(products, states, 4, 1).down(entry(from, to), 0.5f);
        addPath(products, states, 4, 3).down(entry(from, to), -0.5f);
      } else {
        addPath(products, states, 1, 0).down(entry(from, to), 1);
      }
    }
    for (int place = 0; place < chunk * n() * n(); place++) {
      products.unit(0).up(place, 1).down(place, -1);
    }
    return products;
  }

  /**
   * A unit max(0, scale z - offset), where z is 1 if all steps of the path are taken, else below.
   */
  private Products addPath(Products products, int[] states, int scale, int offset) {
    products.unit(-scale * (chunk - 1) - offset);
    for (int step = 0; step < chunk; step++) {
      int map = chunk - 1 - step; // the earliest row of the window is the first step
      products.up(map * n() * n() + entry(states[step], states[step + 1]), scale);
    }
    return products;
  }

  /** The MLP, filled unit by unit. */
  private static final class Products {
    private final int width;
    private final float[] up;
    private final float[] offsets;
    private final float[] down;
    private int unit = -1;

    Products(int width) {
      this.width = width;
      this.up = new float[4 * width * width];
      this.offsets = new float[4 * width];
      this.down = new float[width * 4 * width];
    }

    Products unit(float offset) {
      unit++;
      offsets[unit] = offset;
      return this;
    }

    Products up(int place, float weight) {
      up[unit * width + place] += weight;
      return this;
    }

    Products down(int place, float weight) {
      down[place * 4 * width + unit] += weight;
      return this;
    }
  }
}
