package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.positional.PositionalParameter.Initial;

/**
 * A linear recurrence in place of attention: each head keeps a matrix S [D, D] of constant size,
 * and no keys. No positions are added.
 *
 * <p>S~ = a<sub>t</sub> S<sub>t-1</sub>, u<sub>t</sub> = v<sub>t</sub>, or v<sub>t</sub> - S~' k
 * <sub>t</sub> with the delta rule, S<sub>t</sub> = S~ + beta<sub>t</sub> k<sub>t</sub>
 * u<sub>t</sub>', o<sub>t</sub> = c S<sub>t</sub>' q<sub>t</sub>. The member decides the gate a,
 * the rule, and how rows enter and leave.
 *
 * @param member which recurrence
 * @param negative whether beta is 2 sigmoid instead of sigmoid, so that an eigenvalue of the delta
 *     rule may be negative (Grazzi et al., "Unlocking State-Tracking in Linear RNNs Through
 *     Negative Eigenvalues", 2024)
 */
@JsonTypeName("linear")
public record Linear(Member member, @AbsentMeans("false") boolean negative)
    implements PositionalScheme {
  /** The rank of gla's gates. */
  private static final int GATE_RANK = 16;

  /** The inputs of a causal convolution: the present token is the last one. */
  public static final int TAPS = 4;

  /** The smallest logarithm of a gate of gla, so that the ratios of 16 positions are floats. */
  static final double LEAST_LOG = -10;

  /** Which recurrence. */
  public enum Member {
    /** No gate: linear attention without a normaliser (Katharopoulos et al. 2020). */
    PLAIN,
    /** A gate for each number of a key: gated linear attention (Yang et al. 2023). */
    GLA,
    /** A gate for each head, keys and queries that heads share (Dao and Gu 2024). */
    MAMBA2,
    /** The delta rule without a gate (Schlag et al. 2021; Yang et al. 2024). */
    DELTANET,
    /** The delta rule with a gate for each head (Yang, Kautz and Hatamizadeh 2024). */
    GATED_DELTANET,
    /** A complex diagonal state of d numbers (Orvieto et al. 2023). */
    LRU;

    /** {@return the name with underscores, which a kernel has} */
    public String kernel() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean isDelta() {
      return this == DELTANET || this == GATED_DELTANET;
    }

    boolean hasConvolution() {
      return isDelta() || this == MAMBA2;
    }

    /** Whether gates are exp(-Delta exp(A)), Delta = softplus(w x + b). */
    boolean hasSteps() {
      return this == MAMBA2 || this == GATED_DELTANET;
    }
  }

  public Linear {
    Checks.require(
        !negative || member.isDelta(),
        "negative",
        "false, because only deltanet and gated-deltanet have a delta rule",
        negative);
  }

  @Override
  public String label() {
    String name = member == Member.PLAIN ? "linear" : member.kernel().replace('_', '-');
    return negative ? name + "-negative" : name;
  }

  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.recurrent(this);
  }

  @Override
  public Optional<RecurrenceShape> recurrence(int heads, int width) {
    return Optional.of(
        new RecurrenceShape(
            projected(heads, width),
            gates(heads, width),
            member == Member.LRU,
            multiplications(heads, width),
            state(heads, width)));
  }

  /** Every earlier position changes the state, at a cost that does not grow with their number. */
  @Override
  public Reach reach() {
    return new Reach() {
      @Override
      public boolean seesAllKeys() {
        return false;
      }
    };
  }

  @Override
  public boolean attendsByDistance() {
    return false;
  }

  @Override
  public void requireShape(int heads, int headWidth, int width) {
    Checks.require(
        heads * headWidth == width,
        "model.attention.head_width",
        "heads that make the width %s, because of %s".formatted(width, label()),
        heads * headWidth);
  }

  @Override
  public double[] weights(double[] scores_N) {
    throw new UnsupportedOperationException("a recurrence has no weights of keys");
  }

  @Override
  public Optional<String> noTemperature() {
    return Optional.of(label() + " has no softmax");
  }

  /**
   * {@return the numbers of a row that {@code c_attn} projects: queries, keys, values and the
   * output gate; of mamba2 one query and one key; of lru the gate}
   */
  int projected(int heads, int width) {
    return switch (member) {
      case PLAIN, DELTANET -> 3 * width;
      case GLA, GATED_DELTANET -> 4 * width;
      case MAMBA2 -> 2 * (width / heads) + 2 * width;
      case LRU -> width;
    };
  }

  /**
   * {@return the numbers of a row that {@code c_f} projects: the inputs of gates and beta; of lru
   * the real and imaginary input of the state}
   */
  int gates(int heads, int width) {
    return switch (member) {
      case PLAIN -> 0;
      case GLA -> GATE_RANK;
      case MAMBA2, DELTANET -> heads;
      case GATED_DELTANET -> 2 * heads;
      case LRU -> 2 * width;
    };
  }

  @Override
  public int rowWidth(int heads, int width) {
    return projected(heads, width) + gates(heads, width) + (member == Member.LRU ? width : 0);
  }

  /** {@return the columns that the convolution changes, the first ones; 0 without it} */
  private int convolved(int heads, int width) {
    return member.hasConvolution()
        ? projected(heads, width) - (member == Member.DELTANET ? 0 : width)
        : 0;
  }

  /**
   * {@return the shapes of the state of one sequence: S [H, D, D], or [2 d] of lru, then the rows
   * before the next one that the convolution reads}
   */
  public List<long[]> state(int heads, int width) {
    long headWidth = width / heads;
    List<long[]> shapes = new ArrayList<>();
    shapes.add(
        member == Member.LRU ? new long[] {2L * width} : new long[] {heads, headWidth, headWidth});
    if (member.hasConvolution()) {
      shapes.add(new long[] {TAPS - 1, convolved(heads, width)});
    }
    return shapes;
  }

  /** {@return the positions of a chunk in training; ratios of vector gates need short ones} */
  public int chunk() {
    return member == Member.GLA || member == Member.LRU ? 16 : 64;
  }

  /**
   * {@return the multiplications of a token and layer in whole chunks, without the projections in
   * front}
   */
  private long multiplications(int heads, int width) {
    long headWidth = width / heads;
    long states = 2L * width * headWidth; // written and read
    long scores = 2L * width * chunk();
    return switch (member) {
      case LRU -> 4L * width * chunk() + 2L * width * width;
      case DELTANET, GATED_DELTANET ->
          2 * states + 2 * scores + width * headWidth * headWidth / chunk();
      case GLA -> states + scores + (long) width * GATE_RANK;
      case MAMBA2 -> states + (width + headWidth) * chunk(); // heads share q and k
      case PLAIN -> states + scores;
    };
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    List<PositionalParameter> all = new ArrayList<>();
    int d = width;
    if (member == Member.LRU) {
      add(all, "c_f.weight", List.of(2 * d, d), new Initial.Normal(Math.sqrt(0.5 / d)));
      add(all, "nu", List.of(d), new Initial.Drawn(0.81, 0.998001, Initial.By.LOG_RATE));
      add(all, "theta", List.of(d), new Initial.Drawn(1e-3, 2 * Math.PI, Initial.By.LOG));
      add(all, "c_h.weight", List.of(d, 2 * d), new Initial.Normal(Math.sqrt(1.0 / d)));
      add(all, "skip", List.of(d), new Initial.Constant(1));
      return List.copyOf(all);
    }
    if (gates(heads, d) > 0) {
      add(all, "c_f.weight", List.of(gates(heads, d), d), new Initial.Matrix());
    }
    if (member == Member.GLA) {
      add(all, "c_g.weight", List.of(d, GATE_RANK), new Initial.Matrix());
      add(all, "c_g.bias", List.of(d), new Initial.Constant(0));
    }
    if (member.hasSteps()) {
      add(all, "decay", List.of(heads), new Initial.Drawn(1, 16, Initial.By.LOG));
      double low = Math.log(0.001);
      add(all, "step", List.of(heads), new Initial.Drawn(low, Math.log(0.1), Initial.By.STEP));
    }
    if (member == Member.MAMBA2) {
      add(all, "skip", List.of(heads), new Initial.Constant(1));
    }
    if (member.hasConvolution()) {
      int columns = convolved(heads, d);
      double bound = 1 / Math.sqrt(TAPS); // that of the authors' code
      add(all, "conv.weight", List.of(columns, TAPS), new Initial.Uniform(-bound, bound));
      add(all, "conv.bias", List.of(columns), new Initial.Uniform(-bound, bound));
    }
    int normed = member == Member.MAMBA2 ? d : d / heads;
    add(all, "norm.weight", List.of(normed), new Initial.Constant(1));
    return List.copyOf(all);
  }

  private static void add(
      List<PositionalParameter> all, String name, List<Integer> shape, Initial initial) {
    all.add(PositionalParameter.ofBlock(name, shape, initial));
  }

  /** {@return the tensors that the kernel reads, in its order; {@code c_f} is read before it} */
  public List<String> kernelTensors(int heads, int width) {
    return parameters(heads, width).stream()
        .map(PositionalParameter::name)
        .filter(name -> !name.equals("c_f.weight"))
        .toList();
  }
}
