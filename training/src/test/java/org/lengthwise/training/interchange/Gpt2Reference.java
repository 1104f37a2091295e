package org.lengthwise.training.interchange;

import java.util.Map;
import java.util.Objects;

/**
 * GPT-2 in plain doubles after its paper, directly from tensors in Hugging Face's layout: {@code y
 * = x W + b} with W [in, out], learned positions, tied embeddings.
 */
record Gpt2Reference(int layers, int width, int heads, Map<String, float[]> tensors) {

  double[] nll(int[] tokens) {
    int length = tokens.length - 1;
    double[][] x = new double[length][width];
    for (int t = 0; t < length; t++) {
      for (int i = 0; i < width; i++) {
        x[t][i] = at("wte.weight", tokens[t] * width + i) + at("wpe.weight", t * width + i);
      }
    }
    for (int k = 0; k < layers; k++) {
      String block = "h." + k + ".";
      add(
          x,
          linear(
              attend(linear(norm(x, block + "ln_1"), block + "attn.c_attn")),
              block + "attn.c_proj"));
      add(
          x,
          linear(gelu(linear(norm(x, block + "ln_2"), block + "mlp.c_fc")), block + "mlp.c_proj"));
    }
    double[][] y = norm(x, "ln_f");
    double[] nlls = new double[length];
    for (int t = 0; t < length; t++) {
      nlls[t] = nll(y[t], tokens[t + 1]);
    }
    return nlls;
  }

  private double nll(double[] y, int target) {
    double sum = 0;
    double chosen = 0;
    for (int token = 0; token < tensor("wte.weight").length / width; token++) {
      double logit = 0;
      for (int i = 0; i < width; i++) {
        logit += y[i] * at("wte.weight", token * width + i);
      }
      sum += Math.exp(logit);
      chosen = token == target ? logit : chosen;
    }
    return Math.log(sum) - chosen;
  }

  private double[][] attend(double[][] qkv) {
    double[][] out = new double[qkv.length][width];
    int size = width / heads;
    for (int h = 0; h < heads; h++) {
      for (int query = 0; query < qkv.length; query++) {
        double[] weights = new double[query + 1];
        double sum = 0;
        for (int key = 0; key <= query; key++) {
          double score = 0;
          for (int i = h * size; i < (h + 1) * size; i++) {
            score += qkv[query][i] * qkv[key][width + i];
          }
          weights[key] = Math.exp(score / Math.sqrt(size));
          sum += weights[key];
        }
        for (int key = 0; key <= query; key++) {
          for (int i = h * size; i < (h + 1) * size; i++) {
            out[query][i] += weights[key] / sum * qkv[key][2 * width + i];
          }
        }
      }
    }
    return out;
  }

  private double[][] linear(double[][] x, String name) {
    int in = x[0].length;
    int out = tensor(name + ".bias").length;
    double[][] y = new double[x.length][out];
    for (int t = 0; t < x.length; t++) {
      for (int o = 0; o < out; o++) {
        y[t][o] = at(name + ".bias", o);
        for (int i = 0; i < in; i++) {
          y[t][o] += x[t][i] * at(name + ".weight", i * out + o);
        }
      }
    }
    return y;
  }

  private double[][] norm(double[][] x, String name) {
    double[][] y = new double[x.length][width];
    for (int t = 0; t < x.length; t++) {
      double mean = 0;
      double square = 0;
      for (double value : x[t]) {
        mean += value / width;
        square += value * value / width;
      }
      double deviation = Math.sqrt(square - mean * mean + 1e-5);
      for (int i = 0; i < width; i++) {
        y[t][i] = (x[t][i] - mean) / deviation * at(name + ".weight", i) + at(name + ".bias", i);
      }
    }
    return y;
  }

  private static double[][] gelu(double[][] x) {
    for (double[] row : x) {
      for (int i = 0; i < row.length; i++) {
        double cubic = row[i] + 0.044715 * row[i] * row[i] * row[i];
        row[i] *= 0.5 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * cubic));
      }
    }
    return x;
  }

  private static void add(double[][] x, double[][] y) {
    for (int t = 0; t < x.length; t++) {
      for (int i = 0; i < x[t].length; i++) {
        x[t][i] += y[t][i];
      }
    }
  }

  private double at(String name, int index) {
    return tensor(name)[index];
  }

  private float[] tensor(String name) {
    return Objects.requireNonNull(tensors.get(name), name);
  }
}
