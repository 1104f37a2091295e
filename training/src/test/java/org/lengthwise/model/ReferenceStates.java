package org.lengthwise.model;

import java.util.Arrays;

/**
 * The states of {@link BlockRecurrence} by their definition, in plain doubles. {@link
 * RecurrentBlock} has the formulas.
 */
final class ReferenceStates {
  private final ReferenceDecoder decoder;
  private final BlockRecurrence recurrence;
  private final String name;
  private final int width;

  ReferenceStates(ReferenceDecoder decoder, BlockRecurrence recurrence) {
    this.decoder = decoder;
    this.recurrence = recurrence;
    this.name = ParameterLayout.states(decoder.config());
    this.width = decoder.config().width();
  }

  /** What each normalised token [T, d] reads from the states before its chunk [T, d]. */
  double[][] read(double[][] u_Td) {
    double[][] read_Td = new double[u_Td.length][];
    double[][] states_Sd = rows(decoder.tensor(name + "init"));
    for (int first = 0; first < u_Td.length; first += recurrence.chunk()) {
      int end = Math.min(first + recurrence.chunk(), u_Td.length);
      double[][] u_Cd = Arrays.copyOfRange(u_Td, first, end);
      double[][] projected_S4d = decoder.linear(withIds(states_Sd), name + "c_attn", 4 * width);
      double[][] kv_S2d = ReferenceDecoder.columns(projected_S4d, width, 2 * width);
      double[][] seen_Cd = attend(decoder.linear(u_Cd, name + "c_read", width), kv_S2d);
      double[][] out_Cd = decoder.linear(seen_Cd, name + "c_read_proj", width);
      System.arraycopy(out_Cd, 0, read_Td, first, end - first);
      states_Sd = next(states_Sd, projected_S4d, kv_S2d, u_Cd);
    }
    return read_Td;
  }

  private double[][] next(
      double[][] states_Sd, double[][] projected_S4d, double[][] kv_S2d, double[][] u_Cd) {
    String attention = ParameterLayout.block(recurrence.layer()) + "attn.c_attn";
    double[][] qkv_C3d = decoder.linear(u_Cd, attention, 3 * width);
    double[][] own_Sd = attend(ReferenceDecoder.columns(projected_S4d, 0, width), kv_S2d);
    double[][] tokens_Sd =
        attend(
            ReferenceDecoder.columns(projected_S4d, 3 * width, width),
            ReferenceDecoder.columns(qkv_C3d, width, 2 * width));
    double[][] both_S2d = new double[states_Sd.length][];
    for (int s = 0; s < both_S2d.length; s++) {
      both_S2d[s] = Arrays.copyOf(own_Sd[s], 2 * width);
      System.arraycopy(tokens_Sd[s], 0, both_S2d[s], width, width);
    }
    double[][] next_Sd = decoder.linear(both_S2d, name + "c_proj", width);
    double[] gate_d = decoder.tensor(name + "gate");
    for (int s = 0; s < next_Sd.length; s++) {
      for (int i = 0; i < width; i++) {
        double keep = 1 / (1 + Math.exp(-gate_d[i]));
        next_Sd[s][i] = keep * states_Sd[s][i] + (1 - keep) * next_Sd[s][i];
      }
    }
    return next_Sd;
  }

  private double[][] withIds(double[][] states_Sd) {
    double[][] h_Sd = decoder.norm(states_Sd, name + "ln");
    double[][] ids_Sd = rows(decoder.tensor(name + "ids"));
    for (int s = 0; s < h_Sd.length; s++) {
      for (int i = 0; i < width; i++) {
        h_Sd[s][i] += ids_Sd[s][i];
      }
    }
    return h_Sd;
  }

  /** softmax(q k / sqrt(D)) v in each head: every query sees every key. */
  private double[][] attend(double[][] q_Nd, double[][] kv_M2d) {
    int headWidth = decoder.config().headWidth();
    double[][] out_Nd = new double[q_Nd.length][width];
    for (int n = 0; n < q_Nd.length; n++) {
      for (int start = 0; start < width; start += headWidth) {
        double sum = 0;
        for (double[] kv_2d : kv_M2d) {
          double score = 0;
          for (int i = start; i < start + headWidth; i++) {
            score += q_Nd[n][i] * kv_2d[i];
          }
          double weight = Math.exp(score / Math.sqrt(headWidth));
          sum += weight;
          for (int i = start; i < start + headWidth; i++) {
            out_Nd[n][i] += weight * kv_2d[width + i];
          }
        }
        for (int i = start; i < start + headWidth; i++) {
          out_Nd[n][i] /= sum;
        }
      }
    }
    return out_Nd;
  }

  private double[][] rows(double[] numbers) {
    double[][] rows = new double[numbers.length / width][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = Arrays.copyOfRange(numbers, i * width, (i + 1) * width);
    }
    return rows;
  }
}
