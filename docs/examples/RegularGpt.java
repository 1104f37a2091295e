import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.stream.IntStream;

/**
 * RegularGPT in one file of plain Java: reads a model and prints how well it predicts each token of
 * a text, with loops that look like the formulas.
 *
 * <pre>
 * scripts/lengthwise export --checkpoint RUN --format safetensors --output model
 * java docs/examples/RegularGpt.java model text.txt
 * </pre>
 *
 * <p>A language model is trained on short texts, say of 64 tokens, and then reads 2,048. Does it
 * still predict well? A score of query and key does not depend on their order. A positional scheme
 * adds the order. If a key is delta positions before the query, these schemes add to the score:
 *
 * <pre>
 * ALiBi       -slope[h] * delta              the farther a key, the less it counts
 * T5          sqrt(D) table[bucket(delta)]   learned; distances from 113 on share a bucket
 * RoPE        0, but it rotates q and k      the angles of far keys are new to the model
 * RegularGPT  r[h, j] if delta = j * C^level for a j in 0..C-1, otherwise -infinity
 * </pre>
 *
 * <p>RegularGPT (Chi, Fan, Rudnicky and Ramadge, "Transformer Working Memory Enables Regular
 * Language Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023) has four
 * parts. Sliding-dilated attention: at level l a query sees C keys, itself and those C^l, 2 C^l,
 * ... (C - 1) C^l positions back, except those before the text; C is the chunk. Thickness: a level
 * has K blocks. Weight sharing: all levels have the same K blocks. Adaptive depth: L = ceil(log_C
 * T) levels, at least one, so the last position gets information from all T tokens. With C = 2,
 * K = 1 and T = 8 there are three levels. Position 7, counted from 0:
 *
 * <pre>
 * level 0  sees positions 6 and 7, has information from tokens 6 and 7
 * level 1  sees positions 5 and 7, from tokens 4 to 7, because position 5 had 4 and 5
 * level 2  sees positions 3 and 7, from tokens 0 to 7, because position 3 had 0 to 3
 * </pre>
 *
 * <p>With a ninth token there are four levels, for every position. A level that training on
 * shorter texts never reached has the same weights, but inputs that are new to them, so the
 * perplexity may jump. The rest is GPT-2 without position embeddings. Letters: T tokens read, K
 * blocks, L levels, C chunk, d width, H heads, D = d / H, V vocabulary; query m, key n, head h.
 */
public final class RegularGpt {
  final List<String> words; // of the JSON header; the word after a name is its value
  final Map<String, double[][]> tensors = new HashMap<>(); // by name; a vector is a single row
  final String scheme;
  final int K, d, H, D;

  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      System.err.println("usage: java RegularGpt.java FOLDER-OF-EXPORTED-MODEL TEXT-OR-IDS.json");
      System.exit(2);
    }
    RegularGpt model = new RegularGpt(Path.of(args[0], "model.safetensors"));
    int[] tokens = model.tokens(Path.of(args[1]));
    double[] nll = model.nll(tokens);
    for (int t = 0; t < nll.length; t++) {
      System.out.printf("%d\t%d\t%.6f%n", t + 1, tokens[t + 1], nll[t]);
    }
    double mean = Arrays.stream(nll).average().orElseThrow();
    System.out.printf("%d levels, perplexity %.4f%n", model.levels(nll.length), Math.exp(mean));
  }

  /** The negative log-likelihood of each token but the first, given those before and the length. */
  double[] nll(int[] tokens) {
    int T = tokens.length - 1; // the last token is predicted, not read
    double[][] x = new double[T][]; // [T, d]
    for (int t = 0; t < T; t++) {
      x[t] = tensors.get("transformer.wte.weight")[tokens[t]].clone(); // a row of [V, d]
    }
    for (int level = 0; level < levels(T); level++) {
      for (int b = 0; b < K; b++) {
        block(x, "transformer.h." + b + ".", level);
      }
    }
    double[] nll = new double[T];
    for (int t = 0; t < T; t++) {
      double[] logits = linear(norm(x[t], "transformer.ln_f"), "transformer.wte"); // [V]
      nll[t] = logSumExp(logits) - logits[tokens[t + 1]];
    }
    return nll;
  }

  /** x += attention(x), then x += mlp(x). Both normalise their input. */
  void block(double[][] x, String block, int level) {
    double[][] attended = attention(x, block, level); // [T, d]
    for (int t = 0; t < x.length; t++) {
      add(x[t], attended[t]);
      add(x[t], mlp(x[t], block));
    }
  }

  /** y[m] = sum over n of p[n] v[n], with p = softmax over n of (q[m] k[n] / sqrt(D) + bias). */
  double[][] attention(double[][] x, String block, int level) {
    int T = x.length;
    double[][] qkv = new double[T][]; // [T, 3d]
    for (int t = 0; t < T; t++) {
      qkv[t] = linear(norm(x[t], block + "ln_1"), block + "attn.c_attn");
    }
    double[][] y = new double[T][d]; // [T, d], head beside head
    for (int h = 0; h < H; h++) {
      double[][] q = new double[T][]; // [T, D]
      double[][] k = new double[T][]; // [T, D]
      double[][] v = new double[T][]; // [T, D]
      for (int t = 0; t < T; t++) {
        q[t] = rotated(Arrays.copyOfRange(qkv[t], h * D, (h + 1) * D), t);
        k[t] = rotated(Arrays.copyOfRange(qkv[t], d + h * D, d + (h + 1) * D), t);
        v[t] = Arrays.copyOfRange(qkv[t], 2 * d + h * D, 2 * d + (h + 1) * D);
      }
      for (int m = 0; m < T; m++) {
        double[] score = new double[m + 1]; // n = 0..m: a query does not see what it predicts
        for (int n = 0; n <= m; n++) {
          score[n] = dot(q[m], k[n]) / Math.sqrt(D) + positionBias(block, h, level, m - n);
        }
        double total = logSumExp(score);
        for (int n = 0; n <= m; n++) {
          double p = Math.exp(score[n] - total); // softmax
          for (int i = 0; i < D; i++) {
            y[m][h * D + i] += p * v[n][i];
          }
        }
      }
    }
    for (int t = 0; t < T; t++) {
      y[t] = linear(y[t], block + "attn.c_proj");
    }
    return y;
  }

  /** RegularGPT has a table in each block, T5 one for all blocks. */
  double positionBias(String block, int h, int level, int delta) {
    return switch (scheme) {
      case "regulargpt" -> dilated(tensors.get(block + "attn.r"), h, level, delta);
      case "alibi" -> -slope(h) * delta;
      case "t5" -> bucketed(tensors.get("transformer.position.bias"), h, delta);
      default -> 0; // RoPE rotates instead
    };
  }

  /** RegularGPT: r[h, j] if delta = j C^level. All levels of a block have one r. */
  double dilated(double[][] r, int h, int level, int delta) { // r [H, C]
    int C = r[h].length;
    int dilation = (int) Math.pow(C, level);
    int j = delta / dilation;
    return delta % dilation == 0 && j < C ? r[h][j] : Double.NEGATIVE_INFINITY;
  }

  /** RegularGPT: the least L with C^L >= T, at least 1; logarithms are not exact. */
  int levels(int T) {
    int L = 1;
    if (scheme.equals("regulargpt")) {
      for (long reach = number("chunk"); reach < T; reach *= number("chunk")) {
        L++;
      }
    }
    return L;
  }

  /** ALiBi (Press et al., ICLR 2022): 2^(-8 (h + 1) / H) if H = P, a power of 2. */
  double slope(int h) {
    int P = Integer.highestOneBit(H);
    return h < P ? Math.pow(2, -8.0 * (h + 1) / P) : Math.pow(2, -4.0 * (2 * (h - P) + 1) / P);
  }

  /** T5 (Raffel et al., JMLR 2020): 16 buckets of one distance, 15 wider ones, 31 from 113 on. */
  double bucketed(double[][] table, int h, int delta) { // table [32, H]
    double wideBucket = 16 + Math.floor(16 * Math.log(delta / 16.0) / Math.log(128 / 16.0));
    int bucket = delta < 16 ? delta : (int) Math.min(31, wideBucket);
    return table[bucket][h] * (value("scale").equals("sqrt-head-width") ? Math.sqrt(D) : 1);
  }

  /** RoPE (Su et al., 2021), with GPT-NeoX's pairs: (i, i + D/2) turns by t base^(-2i/D). */
  double[] rotated(double[] x, int t) { // [D]
    if (!scheme.equals("rope")) {
      return x;
    }
    double[] y = new double[D];
    for (int i = 0; i < D / 2; i++) {
      double angle = t * Math.pow(Double.parseDouble(value("base")), -2.0 * i / D);
      y[i] = x[i] * Math.cos(angle) - x[i + D / 2] * Math.sin(angle);
      y[i + D / 2] = x[i + D / 2] * Math.cos(angle) + x[i] * Math.sin(angle);
    }
    return y;
  }

  /** Two layers, with GELU in its tanh form between them. */
  double[] mlp(double[] x, String block) {
    double[] y = linear(norm(x, block + "ln_2"), block + "mlp.c_fc"); // [4d]
    for (int i = 0; i < y.length; i++) {
      y[i] *= (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (y[i] + 0.044715 * Math.pow(y[i], 3)))) / 2;
    }
    return linear(y, block + "mlp.c_proj"); // [d]
  }

  /** W x + b. Only the logits have no b. */
  double[] linear(double[] x, String name) {
    double[][] W = tensors.get(name + ".weight"); // [out, in]
    double[] y = tensors.getOrDefault(name + ".bias", new double[1][W.length])[0].clone(); // [out]
    for (int i = 0; i < y.length; i++) {
      y[i] += dot(W[i], x);
    }
    return y;
  }

  /** LayerNorm: the numbers of one position get mean 0 and variance 1, then weight and bias. */
  double[] norm(double[] x, String name) {
    double mean = Arrays.stream(x).average().orElseThrow();
    double variance = Arrays.stream(x).map(a -> (a - mean) * (a - mean)).average().orElseThrow();
    double[] y = tensors.get(name + ".bias")[0].clone(); // [d]
    for (int i = 0; i < d; i++) {
      y[i] += (x[i] - mean) / Math.sqrt(variance + 1e-5) * tensors.get(name + ".weight")[0][i];
    }
    return y;
  }

  static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] * y[i];
    }
    return sum;
  }

  static void add(double[] x, double[] y) {
    Arrays.setAll(x, i -> x[i] + y[i]);
  }

  /** ln(sum of exp(x)), where exp cannot overflow. */
  static double logSumExp(double[] x) {
    double largest = Arrays.stream(x).max().orElseThrow();
    return largest + Math.log(Arrays.stream(x).map(a -> Math.exp(a - largest)).sum());
  }

  /** The headers that have formulas here, as an expression; all others are rejected. */
  static final String SETTINGS =
      "position scheme (regulargpt chunk \\d+ edge absent|alibi max_bias 8.0|t5 scale \\S+|rope"
          + " base \\S+ share 1.0 scaling type none window null) recurrence kind none form norm pre"
          + " activation gelu attention_bias true embedding_scale one initial gpt2 causal true"
          + " norms kind layer epsilon 1.0E-5 after_embedding false attention key_heads 0"
          + " head_width 0 output_bias true query_key_norm false clip 0.0 scale 0.0 mlp width 0"
          + " gated false bias true tokens tied true width 0 labels 0 kind decoder";

  /** Reads safetensors: 8 bytes with the length of the header, the header in JSON, numbers. */
  RegularGpt(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    byte[] header = new byte[(int) bytes.getLong()];
    bytes.get(header);
    words = List.of(new String(header, StandardCharsets.UTF_8).split("[^\\w.+-]+"));
    if (!String.join(" ", words).matches(".* " + SETTINGS + " .*")) {
      throw new IllegalArgumentException("expected " + SETTINGS + ", found " + words);
    }
    scheme = value("scheme");
    K = number("layers");
    d = number("width");
    H = number("heads");
    D = d / H;
    for (int i = 0; i < words.size(); i++) { // transformer.wte.weight dtype F32 shape 257 16
      if (words.get(i).equals("shape")) {
        boolean isMatrix = !words.get(i + 2).equals("data_offsets");
        int out = isMatrix ? Integer.parseInt(words.get(i + 1)) : 1;
        int in = Integer.parseInt(words.get(isMatrix ? i + 2 : i + 1));
        double[][] rows = new double[out][in];
        for (double[] row : rows) {
          Arrays.setAll(row, j -> bytes.getFloat()); // the numbers have the order of the header
        }
        tensors.put(words.get(i - 3), rows);
      }
    }
  }

  String value(String name) {
    return words.get(words.indexOf(name) + 1);
  }

  int number(String name) {
    return Integer.parseInt(value(name));
  }

  /** The bytes of a text. A model with another tokenizer needs ids, in a file .json. */
  int[] tokens(Path file) throws IOException {
    if (file.toString().endsWith(".json")) {
      return new Scanner(file).useDelimiter("\\D+").tokens().mapToInt(Integer::parseInt).toArray();
    }
    if (number("vocabulary") != 257) {
      throw new IllegalArgumentException("expected token ids in a .json file, found " + file);
    }
    byte[] text = Files.readAllBytes(file);
    return IntStream.range(0, text.length).map(i -> text[i] & 0xff).toArray();
  }
}
