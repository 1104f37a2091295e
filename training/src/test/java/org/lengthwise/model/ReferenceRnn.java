package org.lengthwise.model;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * The recurrent networks in plain doubles, one string at a time. Tests compare {@link
 * LanguageModel} with it.
 *
 * @param config the model's shape
 * @param values each tensor's numbers, row-major, by checkpoint name
 */
public record ReferenceRnn(ModelConfig config, Map<String, double[]> values) {

  /**
   * {@return the negative log-likelihood of a label in nats}
   *
   * @param symbols the string, at least one symbol
   */
  public double nll(int[] symbols, int label) {
    double[] logits = logits(symbols);
    double sum = Arrays.stream(logits).map(Math::exp).sum();
    return Math.log(sum) - logits[label];
  }

  private double[] logits(int[] symbols) {
    int d = config.width();
    double[] c_d = new double[d];
    double[] h_d = new double[d];
    for (int symbol : symbols) {
      double[] oneHot = new double[config.vocabulary()];
      oneHot[symbol] = 1;
      double[] x_d = affine(oneHot, ParameterLayout.RNN_INPUT, ParameterLayout.RNN_INPUT_BIAS);
      double[] state_d = affine(h_d, ParameterLayout.RNN_STATE, ParameterLayout.RNN_STATE_BIAS);
      h_d = new double[d];
      for (int k = 0; k < d; k++) {
        if (config.kind() == ModelConfig.Kind.RNN) {
          h_d[k] = Math.max(0, x_d[k] + state_d[k]);
          continue;
        }
        double i = sigmoid(x_d[k] + state_d[k]);
        double f = sigmoid(x_d[d + k] + state_d[d + k]);
        double g = Math.tanh(x_d[2 * d + k] + state_d[2 * d + k]);
        double o = sigmoid(x_d[3 * d + k] + state_d[3 * d + k]);
        c_d[k] = f * c_d[k] + i * g;
        h_d[k] = o * Math.tanh(c_d[k]);
      }
    }
    String name = ParameterLayout.CLASSIFIER;
    return affine(h_d, name + ".weight", name + ".bias");
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  private double[] affine(double[] x, String weightName, String biasName) {
    double[] weight = tensor(weightName);
    double[] y = tensor(biasName).clone();
    for (int i = 0; i < y.length; i++) {
      for (int j = 0; j < x.length; j++) {
        y[i] += weight[i * x.length + j] * x[j];
      }
    }
    return y;
  }

  private double[] tensor(String name) {
    return Objects.requireNonNull(values.get(name), name);
  }
}
