package org.lengthwise.positional;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Results of schemes, most of them by rows, computed by another program in float64: H = 2, T = 6, D
 * = 4, with queries, keys, values and rows x [T, 8] by formulas.
 */
public final class RowVectors {
  public static final int HEADS = 2;
  public static final int LENGTH = 6;
  public static final int HEAD_WIDTH = 4;
  private static final int WIDTH = 8;

  private RowVectors() {}

  /**
   * A scheme with its learnable numbers.
   *
   * @param sample the positions or distances that stand for 0..5
   * @param expected the outputs of head 0 at position 5, then those of head 1 at position 3
   */
  public record Vector(
      PositionalScheme scheme,
      Map<String, double[]> tensors,
      Optional<PositionSample> sample,
      double... expected) {
    Vector(PositionalScheme scheme, Map<String, double[]> tensors, double... expected) {
      this(scheme, tensors, Optional.empty(), expected);
    }
  }

  public static List<Vector> all() {
    Map<String, double[]> kerple = Map.of("p", new double[] {1.5, 0.8}, "a", new double[] {0.5, 2});
    Map<String, double[]> scales = Map.of(Tempered.SCALE, new double[] {0.43, 0.9});
    return List.of(
        new Vector(
            new Cope(4, Cope.Scale.ONE),
            cope(4),
            -0.325817301,
            -0.658291121,
            -0.591454381,
            -0.165849349,
            -0.102076402,
            -0.695885109,
            -0.867579246,
            -0.513011455),
        new Vector(
            new Cope(3, Cope.Scale.ONE),
            cope(3),
            -0.406004269,
            -0.715654547,
            -0.591198381,
            -0.108129210,
            -0.113381379,
            -0.705719049,
            -0.869977013,
            -0.506518596),
        new Vector(
            new Cope(4, Cope.Scale.SQRT_HEAD_WIDTH),
            cope(4),
            -0.309397410,
            -0.667165439,
            -0.620239865,
            -0.197085112,
            -0.161019813,
            -0.738199327,
            -0.867597035,
            -0.470722024),
        new Vector(
            new ForgetGate(ForgetGate.First.ZERO, new NoPosition()),
            Map.of("c_f.weight", gateWeight(), "c_f.bias", gateBias()),
            -0.448515888,
            -0.775375323,
            -0.631902491,
            -0.105126088,
            -0.543840519,
            -0.965657028,
            -0.801718942,
            -0.151468903),
        new Vector(
            new StickBreaking(StickBreaking.Remainder.SELF),
            Map.of(),
            -0.543289231,
            -0.894305568,
            -0.702848147,
            -0.085052472,
            -0.095556327,
            -0.738135325,
            -0.932971340,
            -0.561879459),
        new Vector(
            new StickBreaking(StickBreaking.Remainder.NONE),
            Map.of(),
            -0.513368925,
            -0.868831471,
            -0.697272505,
            -0.102757394,
            -0.012544737,
            -0.603319918,
            -0.828129333,
            -0.550606607),
        new Vector(
            new Dape(3, new KerpleLog()),
            dape(kerple),
            -0.603982367,
            -0.819532387,
            -0.537965058,
            0.069924657,
            -0.462696713,
            -0.921691575,
            -0.821600697,
            -0.223137860),
        new Vector(
            new KerpleLog(),
            kerple,
            -0.613891572,
            -0.817765028,
            -0.525593191,
            0.085396423,
            -0.412772761,
            -0.892394672,
            -0.830701949,
            -0.265116571),
        new Vector(
            new Rope(10_000),
            Map.of(),
            -0.060227245,
            -0.493336515,
            -0.627194476,
            -0.380604683,
            -0.066730689,
            -0.672817788,
            -0.870782645,
            -0.540542434),
        new Vector(
            new Alibi(),
            Map.of(),
            sample(0, 2, 3, 7, 11, 12),
            -0.439565031,
            -0.763266912,
            -0.623981325,
            -0.106197040,
            -0.217183156,
            -0.777372513,
            -0.866018135,
            -0.429348777),
        new Vector(
            new Rope(10_000),
            Map.of(),
            sample(1, 2, 5, 8, 13, 14),
            -0.242524615,
            -0.651022046,
            -0.664618239,
            -0.275065927,
            -0.221975475,
            -0.761705169,
            -0.839394730,
            -0.407918710),
        new Vector(
            new SlidingWindow(3, SlidingWindow.Within.ROPE),
            Map.of(),
            -0.711737477,
            -0.910629534,
            -0.557145935,
            0.134294912,
            -0.195798238,
            -0.786310627,
            -0.899857541,
            -0.467562945),
        new Vector(
            new SlidingWindow(null, 4, SlidingWindow.Within.ROPE, null),
            Map.of(),
            -0.875376638,
            -0.908119597,
            -0.390009394,
            0.364675274,
            -0.066730689,
            -0.672817788,
            -0.870782645,
            -0.540542434),
        new Vector(
            new Tempered(new NoPosition(), new Temperature(Temperature.Name.SSMAX)),
            scales,
            -0.248016393,
            -0.644843291,
            -0.650516901,
            -0.261595689,
            -0.262702989,
            -0.810035660,
            -0.866011569,
            -0.396676481),
        new Vector(
            new Tempered(new Alibi(), new Temperature(Temperature.Name.SSMAX)),
            scales,
            -0.312659140,
            -0.682745689,
            -0.638687864,
            -0.207210552,
            -0.264023981,
            -0.810886913,
            -0.865876725,
            -0.395637334),
        new Vector(
            new Tempered(
                new Alibi(), new Temperature(Temperature.Name.SSMAX, Temperature.On.SCORES, 0, 0)),
            scales,
            -0.298151927,
            -0.674399645,
            -0.641565587,
            -0.219566454,
            -0.264350474,
            -0.811097166,
            -0.865843202,
            -0.395380369),
        new Vector(
            new Tempered(
                new NoPosition(), new Temperature(Temperature.Name.LOG_LENGTH).trainedAt(3)),
            Map.of(),
            -0.411649104,
            -0.756677004,
            -0.642714787,
            -0.138890405,
            -0.265205716,
            -0.811802821,
            -0.865971228,
            -0.394853109),
        new Vector(
            new Tempered(new NoPosition(), new Temperature(Temperature.Name.FLOOR).trainedAt(2)),
            Map.of(),
            -0.323506725,
            -0.695821935,
            -0.646060896,
            -0.204407987,
            -0.236855449,
            -0.791635864,
            -0.866220587,
            -0.415367525),
        new Vector(
            new NoPosition(),
            Map.of(),
            -0.295954386,
            -0.677103211,
            -0.647530314,
            -0.225174218,
            -0.214151158,
            -0.775269378,
            -0.866119597,
            -0.431593290));
  }

  private static Optional<PositionSample> sample(int... numbers) {
    return Optional.of(new PositionSample(16, numbers));
  }

  private static Map<String, double[]> cope(int positions) {
    return Map.of(
        "cope", matrix(positions, HEAD_WIDTH, (p, i) -> Math.cos(0.3 + 0.8 * p + 0.5 * i)));
  }

  private static double[] gateWeight() {
    return matrix(HEADS, WIDTH, (h, j) -> 0.5 * Math.cos(0.1 + 0.9 * h + 0.7 * j));
  }

  private static double[] gateBias() {
    return new double[] {1, -0.5};
  }

  private static Map<String, double[]> dape(Map<String, double[]> kerple) {
    Map<String, double[]> tensors = new LinkedHashMap<>(kerple);
    tensors.put(
        "dape.c_fc.weight", matrix(3, 4, (w, c) -> 0.6 * Math.sin(0.4 + 1.7 * w + 0.9 * c)));
    tensors.put("dape.c_fc.bias", matrix(1, 3, (row, w) -> 0.1 * Math.cos(w)));
    tensors.put(
        "dape.c_proj.weight", matrix(2, 3, (h, w) -> 0.5 * Math.cos(0.2 + 1.1 * h + 0.8 * w)));
    tensors.put("dape.c_proj.bias", new double[] {0.05, -0.1});
    return tensors;
  }

  private interface Cell {
    double at(int row, int column);
  }

  private static double[] matrix(int rows, int columns, Cell cell) {
    double[] numbers = new double[rows * columns];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        numbers[row * columns + column] = cell.at(row, column);
      }
    }
    return numbers;
  }

  public static double[][][] queries() {
    return rows((h, t, i) -> Math.sin(1 + 0.7 * h + 0.9 * t + 1.3 * i));
  }

  public static double[][][] keys() {
    return rows((h, t, i) -> Math.cos(0.5 + 0.4 * h + 1.1 * t + 0.6 * i));
  }

  public static double[][][] values() {
    return rows((h, t, i) -> Math.sin(2 + 0.3 * h + 0.5 * t + 0.8 * i));
  }

  private interface Entry {
    double at(int head, int position, int index);
  }

  private static double[][][] rows(Entry entry) {
    double[][][] rows_HTD = new double[HEADS][LENGTH][HEAD_WIDTH];
    for (int h = 0; h < HEADS; h++) {
      for (int t = 0; t < LENGTH; t++) {
        for (int i = 0; i < HEAD_WIDTH; i++) {
          rows_HTD[h][t][i] = entry.at(h, t, i);
        }
      }
    }
    return rows_HTD;
  }

  /** The logits of the gates [T, H], or nothing [T, 0] without gates. */
  public static double[][] carried(PositionalScheme scheme) {
    double[][] carried_TE = new double[LENGTH][scheme.cost(HEADS).numCarried()];
    for (int t = 0; t < LENGTH; t++) {
      for (int h = 0; h < carried_TE[t].length; h++) {
        carried_TE[t][h] = gateBias()[h];
        for (int j = 0; j < WIDTH; j++) {
          carried_TE[t][h] += gateWeight()[h * WIDTH + j] * Math.sin(0.2 + 0.35 * t + 0.45 * j);
        }
      }
    }
    return carried_TE;
  }
}
