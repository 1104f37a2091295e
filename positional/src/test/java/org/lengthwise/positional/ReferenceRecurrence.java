package org.lengthwise.positional;

import java.util.Arrays;

/**
 * A linear recurrence over one sequence, position by position in plain doubles.
 *
 * @param values the learnable numbers of the block
 */
public record ReferenceRecurrence(Linear scheme, PositionalValues values) {

  /**
   * {@return the result [T, d] of a recurrence that begins at 0}
   *
   * @param rows_TE the rows, of {@link Linear#rowWidth} numbers
   */
  public double[][] run(double[][] rows_TE) {
    int heads = values.heads();
    int width = heads * values.headWidth();
    double[][] out_TD = new double[rows_TE.length][width];
    if (scheme.member() == Linear.Member.LRU) {
      runComplex(rows_TE, out_TD);
      return out_TD;
    }
    double[][][] state_HDD = new double[heads][values.headWidth()][values.headWidth()];
    for (int t = 0; t < rows_TE.length; t++) {
      for (int h = 0; h < heads; h++) {
        double[] out_D = step(rows_TE, t, h, state_HDD[h]);
        System.arraycopy(out_D, 0, out_TD[t], h * out_D.length, out_D.length);
      }
      leave(rows_TE[t], out_TD[t]);
    }
    return out_TD;
  }

  private double[] step(double[][] rows_TE, int t, int head, double[][] state_DD) {
    int dk = values.headWidth();
    int heads = values.heads();
    boolean isShared = scheme.member() == Linear.Member.MAMBA2;
    int own = isShared ? 0 : head;
    int keys = isShared ? dk : heads * dk;
    double[] q_D = entered(rows_TE, t, own * dk);
    double[] k_D = entered(rows_TE, t, keys + own * dk);
    double[] v_D = entered(rows_TE, t, 2 * keys + head * dk);
    boolean isDelta = scheme.member().isDelta();
    if (isDelta) {
      q_D = unit(q_D);
      k_D = unit(k_D);
    }
    double[] gates_D = new double[dk];
    Arrays.setAll(gates_D, i -> gate(rows_TE[t], head, i));
    double[] out_D = advance(state_DD, gates_D, isDelta, beta(rows_TE[t], head), q_D, k_D, v_D);
    for (int j = 0; j < dk; j++) {
      out_D[j] *= isDelta || isShared ? 1 : 1 / Math.sqrt(dk);
      out_D[j] += isShared ? values.at("skip", head) * v_D[j] : 0;
    }
    return out_D;
  }

  /**
   * Changes a state [D, D'] by a position.
   *
   * @return S' q, D' numbers
   */
  static double[] advance(
      double[][] state,
      double[] gates,
      boolean isDelta,
      double beta,
      double[] q,
      double[] k,
      double[] v) {
    double[] u = v.clone();
    for (int i = 0; i < k.length; i++) {
      for (int j = 0; j < u.length; j++) {
        state[i][j] *= gates[i];
        u[j] -= isDelta ? state[i][j] * k[i] : 0;
      }
    }
    double[] out = new double[u.length];
    for (int i = 0; i < k.length; i++) {
      for (int j = 0; j < u.length; j++) {
        state[i][j] += beta * k[i] * u[j];
        out[j] += state[i][j] * q[i];
      }
    }
    return out;
  }

  /** D numbers of a row from a column on, after the convolution if there is one. */
  private double[] entered(double[][] rows_TE, int t, int column) {
    double[] x_D = Arrays.copyOfRange(rows_TE[t], column, column + values.headWidth());
    for (int i = 0; i < x_D.length && scheme.member().hasConvolution(); i++) {
      double sum = values.at("conv.bias", column + i);
      for (int tap = 0; tap < Linear.TAPS; tap++) {
        int from = t - (Linear.TAPS - 1) + tap;
        double weight = values.at("conv.weight", (column + i) * Linear.TAPS + tap);
        sum += from < 0 ? 0 : weight * rows_TE[from][column + i];
      }
      x_D[i] = silu(sum);
    }
    return x_D;
  }

  private int width() {
    return values.heads() * values.headWidth();
  }

  private double carried(double[] row_E, int index) {
    return row_E[scheme.projected(values.heads(), width()) + index];
  }

  private double step(double[] row_E, int head) {
    return StickBreaking.softplus(carried(row_E, head) + values.at("step", head));
  }

  private double gate(double[] row_E, int head, int number) {
    return switch (scheme.member()) {
      case MAMBA2, GATED_DELTANET ->
          Math.exp(-step(row_E, head) * Math.exp(values.at("decay", head)));
      case GLA -> {
        int rank = scheme.gates(values.heads(), width());
        int row = head * values.headWidth() + number;
        double logit = values.at("c_g.bias", row);
        for (int i = 0; i < rank; i++) {
          logit += values.at("c_g.weight", row * rank + i) * carried(row_E, i);
        }
        yield Math.exp(Math.max(Linear.LEAST_LOG, -StickBreaking.softplus(-logit) / 16));
      }
      case PLAIN, DELTANET, LRU -> 1;
    };
  }

  private double beta(double[] row_E, int head) {
    return switch (scheme.member()) {
      case MAMBA2 -> step(row_E, head);
      case DELTANET -> factor() * sigmoid(carried(row_E, head));
      case GATED_DELTANET -> factor() * sigmoid(carried(row_E, values.heads() + head));
      case PLAIN, GLA, LRU -> 1;
    };
  }

  private double factor() {
    return scheme.negative() ? 2 : 1;
  }

  /** The norm and the output gate of a position, in place. */
  private void leave(double[] row_E, double[] out_d) {
    int d = out_d.length;
    switch (scheme.member()) {
      case PLAIN, DELTANET -> norm(out_d, values.headWidth());
      case GLA, GATED_DELTANET -> {
        norm(out_d, values.headWidth());
        multiply(out_d, row_E, 3 * d);
      }
      case MAMBA2 -> {
        multiply(out_d, row_E, 2 * values.headWidth() + d);
        norm(out_d, d);
      }
      case LRU -> multiply(out_d, row_E, 0);
    }
  }

  private static void multiply(double[] out_d, double[] row_E, int column) {
    for (int i = 0; i < out_d.length; i++) {
      out_d[i] *= silu(row_E[column + i]);
    }
  }

  /** RMSNorm over each group of numbers. */
  private void norm(double[] out_d, int group) {
    for (int first = 0; first < out_d.length; first += group) {
      double squares = 0;
      for (int i = 0; i < group; i++) {
        squares += out_d[first + i] * out_d[first + i];
      }
      double scale = 1 / Math.sqrt(squares / group + 1e-5);
      for (int i = 0; i < group; i++) {
        out_d[first + i] *= scale * values.at("norm.weight", i);
      }
    }
  }

  /** h = lambda h + gamma b, y = Re(C h) + D x, times silu of the gate. */
  private void runComplex(double[][] rows_TE, double[][] out_Td) {
    int d = width();
    double[] real_d = new double[d];
    double[] imaginary_d = new double[d];
    for (int t = 0; t < rows_TE.length; t++) {
      for (int n = 0; n < d; n++) {
        double rate = Math.exp(values.at("nu", n));
        double phase = Math.exp(values.at("theta", n));
        double re = Math.exp(-rate) * Math.cos(phase);
        double im = Math.exp(-rate) * Math.sin(phase);
        double gamma = Math.sqrt(1 - Math.exp(-2 * rate));
        double before = real_d[n];
        real_d[n] = re * before - im * imaginary_d[n] + gamma * rows_TE[t][d + n];
        imaginary_d[n] = re * imaginary_d[n] + im * before + gamma * rows_TE[t][2 * d + n];
      }
      for (int i = 0; i < d; i++) {
        double y = values.at("skip", i) * rows_TE[t][3 * d + i];
        for (int n = 0; n < d; n++) {
          y += values.at("c_h.weight", i * 2 * d + n) * real_d[n];
          y -= values.at("c_h.weight", i * 2 * d + d + n) * imaginary_d[n];
        }
        out_Td[t][i] = y;
      }
      leave(rows_TE[t], out_Td[t]);
    }
  }

  static double[] unit(double[] x_D) {
    double squares = Arrays.stream(x_D).map(x -> x * x).sum();
    return Arrays.stream(x_D).map(x -> x / Math.sqrt(squares + 1e-6)).toArray();
  }

  private static double silu(double x) {
    return x * sigmoid(x);
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }
}
