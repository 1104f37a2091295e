package org.lengthwise.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@link Staircase} by its definition, in plain doubles: z(i, p, g), the stream of chunk i in pass
 * p before block g, by recursion. {@link StaircaseModel} computes the same row by row.
 */
final class ReferenceStaircase {
  private final ReferenceDecoder decoder;
  private final Staircase staircase;
  private final double[][] embedded_Td;
  private final Map<List<Integer>, double[][]> known = new HashMap<>();

  ReferenceStaircase(ReferenceDecoder decoder, Staircase staircase, double[][] embedded_Td) {
    this.decoder = decoder;
    this.staircase = staircase;
    this.embedded_Td = embedded_Td;
  }

  /** The outputs of the last pass over every chunk [T, d]. */
  double[][] hidden() {
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i * staircase.chunk() < embedded_Td.length; i++) {
      rows.addAll(Arrays.asList(stream(i, staircase.passes(), decoder.config().layers())));
    }
    return rows.toArray(double[][]::new);
  }

  /** z(i, p, g) [C, d], where p counts from 1. */
  private double[][] stream(int i, int p, int g) {
    List<Integer> key = List.of(i, p, g);
    double[][] found_Cd = known.get(key);
    if (found_Cd == null) {
      found_Cd = g > 0 ? afterBlock(i, p, g - 1) : p > 1 ? afterPass(i, p - 1) : embedded(i);
      known.put(key, found_Cd);
    }
    return found_Cd;
  }

  private double[][] embedded(int i) {
    int first = i * staircase.chunk();
    int end = Math.min(first + staircase.chunk(), embedded_Td.length);
    return Arrays.copyOfRange(embedded_Td, first, end);
  }

  private double[][] afterPass(int i, int p) {
    return stream(i, p, decoder.config().layers());
  }

  /** Block g over pass p of chunk i, which also reads pass p + n of chunk i - n. */
  private double[][] afterBlock(int i, int p, int g) {
    List<double[]> rows = new ArrayList<>();
    for (int n = Math.min(staircase.passes() - p, i); n >= 0; n--) {
      rows.addAll(Arrays.asList(stream(i - n, p + n, g)));
    }
    int own = stream(i, p, g).length;
    return decoder.block(rows.toArray(double[][]::new), own, g, 0);
  }
}
