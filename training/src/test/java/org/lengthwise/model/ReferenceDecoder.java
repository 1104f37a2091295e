package org.lengthwise.model;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.numbers.gamma.Erfc;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.PositionSample;
import org.lengthwise.positional.PositionTable;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalValues;
import org.lengthwise.positional.RecurrenceShape;
import org.lengthwise.positional.ReferenceAttention;
import org.lengthwise.positional.ReferenceRecurrence;

/**
 * The decoder in plain doubles, one sequence at a time: slow and simple. Tests compare {@link
 * LanguageModel} with it, at the positions of seed 0.
 *
 * @param config the model's shape
 * @param values each tensor's numbers, row-major, by checkpoint name
 */
public record ReferenceDecoder(ModelConfig config, Map<String, double[]> values) {
  /** Requires the numbers of every tensor. */
  public ReferenceDecoder {
    values = Map.copyOf(values);
    for (ParameterSpec spec : ParameterLayout.of(config)) {
      double[] numbers = values.get(spec.name());
      if (numbers == null || numbers.length != spec.size()) {
        throw new IllegalArgumentException(
            "values must hold " + spec.size() + " numbers for " + spec.name());
      }
    }
  }

  /**
   * {@return the negative log-likelihood in nats of each of the N tokens except the first: element
   * i is -ln p(token i + 1 | tokens 0..i)}
   *
   * @param tokens N token ids, at least 2; the model reads N - 1 of them
   */
  public double[] nll(int[] tokens) {
    int length = tokens.length - 1;
    double[][] hidden_Td = hidden(embed(Arrays.copyOf(tokens, length)));
    double[] nlls = new double[length];
    for (int t = 0; t < length; t++) {
      nlls[t] = nll(hidden_Td[t], tokens[t + 1]);
    }
    return nlls;
  }

  /**
   * {@return the inputs of the first block: the embeddings [T, d], including position embeddings if
   * the scheme has them}
   *
   * @param tokens T token ids
   */
  public double[][] embed(int[] tokens) {
    int e = config.tokenWidth();
    DecoderForm form = config.form();
    double[] wte_Ve = tensor("transformer.wte.weight");
    double[][] embedded_Td = new double[tokens.length][];
    PositionalValues positional = positionalValues(0);
    PositionTable table = config.position().positionTable();
    Optional<PositionSample> sample = config.position().sample(0, tokens.length);
    for (int t = 0; t < tokens.length; t++) {
      double[] token_e = Arrays.copyOfRange(wte_Ve, tokens[t] * e, (tokens[t] + 1) * e);
      Arrays.setAll(token_e, i -> token_e[i] * config.embeddingScale());
      double[] token_d =
          form.tokens().isProjected()
              ? multiply(token_e, tensor(ParameterLayout.PROJECT_IN), config.width())
              : token_e;
      long position = sample.isEmpty() ? t : sample.get().numbers()[t];
      embedded_Td[t] = table.embed(token_d, positional, position);
    }
    return form.norms().afterEmbedding()
        ? norm(embedded_Td, ParameterLayout.EMBEDDING_NORM)
        : embedded_Td;
  }

  /**
   * {@return the negative log-likelihood in nats of the token after a sequence, as a function of
   * its embeddings}
   *
   * @param embedded_Td the inputs of the first block, which are not modified
   * @param target the token that follows
   */
  public double lastNll(double[][] embedded_Td, int target) {
    double[][] hidden_Td = hidden(embedded_Td);
    return nll(hidden_Td[hidden_Td.length - 1], target);
  }

  /** All executed layers and the final norm. */
  private double[][] hidden(double[][] embedded_Td) {
    double[][] x_Td =
        config.recurrence() instanceof Staircase staircase
            ? new ReferenceStaircase(this, staircase, embedded_Td).hidden()
            : stacked(embedded_Td);
    return config.form().hasFinalNorm() ? norm(x_Td, "transformer.ln_f") : x_Td;
  }

  /** The blocks in their order, level by level. */
  private double[][] stacked(double[][] embedded_Td) {
    double[][] x_Td = embedded_Td;
    for (int level = 0; level < config.position().reach().levels(embedded_Td.length); level++) {
      for (int i = 0; i < config.blocksOfLevel(); i++) {
        int k = (level * config.blocksOfLevel() + i) % config.layers();
        x_Td = block(padded(x_Td, k, level), x_Td.length, k, level);
      }
    }
    return x_Td;
  }

  /**
   * {@return the outputs [T, d] of a block at the last positions of some rows, whose other rows are
   * keys and values only}
   *
   * @param rows_Pd the inputs of the block, which are not modified
   * @param length T, the number of the last positions
   * @param level l
   */
  double[][] block(double[][] rows_Pd, int length, int k, int level) {
    String norm1 = ParameterLayout.block(k) + "ln_1";
    String norm2 = ParameterLayout.block(k) + "ln_2";
    double[][] x_Td = new double[length][];
    for (int t = 0; t < length; t++) {
      x_Td[t] = rows_Pd[rows_Pd.length - length + t].clone();
    }
    switch (config.form().norm()) {
      case PRE -> {
        add(x_Td, attention(norm(rows_Pd, norm1), k, level, length));
        if (config.recurrence() instanceof BlockRecurrence recurrence && recurrence.layer() == k) {
          add(x_Td, new ReferenceStates(this, recurrence).read(norm(rows_Pd, norm1)));
        }
        add(x_Td, mlp(norm(x_Td, norm2), k));
      }
      case POST -> {
        add(x_Td, attention(rows_Pd, k, level, length));
        x_Td = norm(x_Td, norm1);
        add(x_Td, mlp(x_Td, k));
        x_Td = norm(x_Td, norm2);
      }
      case PARALLEL -> {
        double[][] changed_Td = mlp(norm(x_Td, norm2), k);
        add(x_Td, attention(norm(rows_Pd, norm1), k, level, length));
        add(x_Td, changed_Td);
      }
      case NORMED -> {
        x_Td = norm(x_Td, norm1);
        add(x_Td, attention(norm(rows_Pd, norm1), k, level, length));
        x_Td = norm(x_Td, norm2);
        add(x_Td, mlp(x_Td, k));
      }
    }
    return x_Td;
  }

  /** The block's pad at the positions before the start, then x. */
  private double[][] padded(double[][] x_Td, int k, int level) {
    int padding = Math.toIntExact(config.position().reach().padding(level));
    double[][] padded_Pd = new double[padding + x_Td.length][];
    for (int t = 0; t < padding; t++) {
      padded_Pd[t] = tensor(ParameterLayout.block(k) + "attn.pad");
    }
    System.arraycopy(x_Td, 0, padded_Pd, padding, x_Td.length);
    return padded_Pd;
  }

  private double nll(double[] hidden_d, int target) {
    double[] logits = logits(hidden_d);
    return logSumExp(logits) - logits[target];
  }

  /** The logits of the labels of a classifier, or of the tokens. */
  private double[] logits(double[] hidden_d) {
    if (config.isClassifier()) {
      return linear(new double[][] {hidden_d}, ParameterLayout.CLASSIFIER, config.labels())[0];
    }
    TokenForm form = config.form().tokens();
    double[] hidden_e =
        form.isProjected()
            ? multiply(hidden_d, tensor(ParameterLayout.PROJECT_OUT), form.width())
            : hidden_d;
    return multiply(
        hidden_e,
        tensor(form.tied() ? "transformer.wte.weight" : ParameterLayout.HEAD),
        config.vocabulary());
  }

  /** Attention at the last positions of a sequence. */
  private double[][] attention(double[][] x_Td, int k, int level, int length) {
    int width = config.attentionWidth();
    int headWidth = config.headWidth();
    String name = ParameterLayout.block(k) + "attn.";
    if (config.linear(k).isPresent()) {
      double[][] out_Td =
          new ReferenceRecurrence((Linear) config.position().inBlock(k), positionalValues(k))
              .run(rows(x_Td, k));
      return linear(out_Td, name + "c_proj", config.width());
    }
    double[][] qkv_Tf = linear(x_Td, name + "c_attn", width + 2 * config.keyWidth());
    ReferenceAttention attention =
        ReferenceAttention.of(
            config.position(), positionalValues(k), config.form().causal(), x_Td.length);
    double[][][] q_HTD = new double[config.heads()][][];
    double[][][] k_HTD = new double[config.heads()][][];
    double[][][] v_HTD = new double[config.heads()][][];
    for (int h = 0; h < config.heads(); h++) {
      int key = width + h * config.keyHeads() / config.heads() * headWidth;
      q_HTD[h] = head(qkv_Tf, h * headWidth, Optional.of(name + "q_norm.weight"), queryFactor());
      k_HTD[h] = head(qkv_Tf, key, Optional.of(name + "k_norm.weight"), 1);
      v_HTD[h] = head(qkv_Tf, key + config.keyWidth(), Optional.empty(), 1);
    }
    double[][] carried_TE =
        config.numCarried(k) > 0
            ? linear(x_Td, name + "c_f", config.numCarried(k))
            : new double[x_Td.length][0];
    double[][][] out_HTD = attention.attend(q_HTD, k_HTD, v_HTD, carried_TE, level);
    double[][] attended_Tf = new double[x_Td.length][width];
    for (int h = 0; h < config.heads(); h++) {
      for (int t = 0; t < attended_Tf.length; t++) {
        System.arraycopy(out_HTD[h][t], 0, attended_Tf[t], h * headWidth, headWidth);
      }
    }
    int end = attended_Tf.length;
    return linear(
        Arrays.copyOfRange(attended_Tf, end - length, end), name + "c_proj", config.width());
  }

  /** The rows of a linear recurrence. */
  private double[][] rows(double[][] x_Td, int k) {
    RecurrenceShape shape = config.linear(k).orElseThrow();
    String name = ParameterLayout.block(k) + "attn.";
    int gates = shape.gates();
    double[][] projected_Tf = linear(x_Td, name + "c_attn", config.numProjected(k));
    double[][] gates_TE =
        gates > 0 ? linear(x_Td, name + "c_f", gates) : new double[x_Td.length][0];
    double[][] rows_TE = new double[x_Td.length][];
    for (int t = 0; t < rows_TE.length; t++) {
      double[] own = shape.readsInput() ? x_Td[t] : new double[0];
      rows_TE[t] =
          Stream.of(projected_Tf[t], gates_TE[t], own).flatMapToDouble(Arrays::stream).toArray();
    }
    return rows_TE;
  }

  /** The factor of queries; attention divides scores by sqrt(D). */
  private double queryFactor() {
    double scale = config.form().attention().scale();
    return scale == 0 ? 1 : scale * Math.sqrt(config.headWidth());
  }

  /** The queries, keys or values [T, D] of one head. */
  private double[][] head(double[][] qkv_Tf, int start, Optional<String> norm, double factor) {
    HeadForm form = config.form().attention();
    double bound = form.clip() == 0 ? Double.POSITIVE_INFINITY : form.clip();
    double[][] rows_TD = columns(qkv_Tf, start, config.headWidth());
    for (double[] row : rows_TD) {
      Arrays.setAll(row, i -> Math.max(-bound, Math.min(bound, row[i])));
      if (norm.isPresent() && form.queryKeyNorm()) {
        normaliseBySquare(row, tensor(norm.get()));
      }
      Arrays.setAll(row, i -> row[i] * factor);
    }
    return rows_TD;
  }

  private PositionalValues positionalValues(int k) {
    Map<String, double[]> own = new HashMap<>();
    for (PositionalParameter parameter :
        config.position().parameters(config.heads(), config.positionalWidth())) {
      if (parameter.blocks().contain(k)) {
        own.put(parameter.name(), tensor(ParameterLayout.positionalName(parameter, k)));
      }
    }
    return new PositionalValues(config.heads(), config.headWidth(), k, 1, own);
  }

  private double[][] mlp(double[][] x_Td, int k) {
    String name = ParameterLayout.block(k) + "mlp.";
    int width = config.mlpWidth();
    boolean isGated = config.form().mlp().gated();
    double[][] inner = linear(x_Td, name + "c_fc", isGated ? 2 * width : width);
    double[][] hidden = new double[inner.length][width];
    for (int t = 0; t < inner.length; t++) {
      for (int i = 0; i < width; i++) {
        hidden[t][i] = activation(inner[t][i]) * (isGated ? inner[t][width + i] : 1);
      }
    }
    return linear(hidden, name + "c_proj", config.width());
  }

  private double activation(double x) {
    return switch (config.form().activation()) {
      case GELU -> gelu(x);
      case GELU_ERF -> x / 2 * Erfc.value(-x / Math.sqrt(2));
      case RELU -> Math.max(0, x);
      case SILU -> x / (1 + Math.exp(-x));
    };
  }

  /** GELU in its tanh form (Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016). */
  private static double gelu(double x) {
    return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
  }

  double[][] norm(double[][] x_Td, String name) {
    double[] weight = tensor(name + ".weight");
    double[] bias = values.getOrDefault(name + ".bias", new double[weight.length]);
    double[][] y_Td = new double[x_Td.length][];
    for (int t = 0; t < x_Td.length; t++) {
      double[] row = x_Td[t].clone();
      y_Td[t] = row;
      if (config.form().norms().kind() == NormForm.Kind.RMS) {
        normaliseBySquare(row, weight);
        continue;
      }
      double mean = Arrays.stream(row).sum() / row.length;
      double variance =
          Arrays.stream(row).map(value -> (value - mean) * (value - mean)).sum() / row.length;
      double deviation = Math.sqrt(variance + config.form().norms().epsilon());
      Arrays.setAll(row, i -> (row[i] - mean) / deviation * weight[i] + bias[i]);
    }
    return y_Td;
  }

  /** RMSNorm of a row, in place. */
  private void normaliseBySquare(double[] row, double[] weight) {
    double square = Arrays.stream(row).map(value -> value * value).sum() / row.length;
    double root = Math.sqrt(square + config.form().norms().epsilon());
    Arrays.setAll(row, i -> row[i] / root * weight[i]);
  }

  double[][] linear(double[][] x, String name, int out) {
    double[] weight = tensor(name + ".weight");
    double[] bias = values.getOrDefault(name + ".bias", new double[out]);
    double[][] y = new double[x.length][];
    for (int t = 0; t < x.length; t++) {
      y[t] = multiply(x[t], weight, out);
      for (int i = 0; i < out; i++) {
        y[t][i] += bias[i];
      }
    }
    return y;
  }

  /** W x with W [out, in] row-major. */
  private static double[] multiply(double[] x, double[] weight, int out) {
    double[] y = new double[out];
    for (int i = 0; i < out; i++) {
      for (int j = 0; j < x.length; j++) {
        y[i] += weight[i * x.length + j] * x[j];
      }
    }
    return y;
  }

  static double[][] columns(double[][] rows, int start, int count) {
    double[][] part = new double[rows.length][];
    for (int t = 0; t < rows.length; t++) {
      part[t] = Arrays.copyOfRange(rows[t], start, start + count);
    }
    return part;
  }

  private static void add(double[][] x, double[][] y) {
    for (int t = 0; t < x.length; t++) {
      for (int i = 0; i < x[t].length; i++) {
        x[t][i] += y[t][i];
      }
    }
  }

  private static double logSumExp(double[] values) {
    double largest = Arrays.stream(values).max().orElseThrow();
    double sum = 0;
    for (double value : values) {
      sum += Math.exp(value - largest);
    }
    return largest + Math.log(sum);
  }

  double[] tensor(String name) {
    return Objects.requireNonNull(values.get(name), name);
  }
}
