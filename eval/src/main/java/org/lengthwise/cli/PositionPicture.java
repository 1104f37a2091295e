package org.lengthwise.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lengthwise.error.ConfigException;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalParameter.Initial;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.PositionalValues;
import org.lengthwise.positional.ReferenceAttention;

/**
 * What queries see under a scheme, as SVG: a grid for each level, or for each of several blocks.
 * Rows are queries, columns are keys, and a cell is the stronger, the larger the weight of the key
 * is beside the largest one of its query. Content is left out: all rows are equal, and learned
 * numbers have their first values, without their noise. With levels, the cells on the way to the
 * last token have a second colour, as in Figure 1 of Chi et al. 2023.
 */
final class PositionPicture {
  private static final int HEADS = 4;
  private static final int HEAD_WIDTH = 16;
  private static final int CELL = 8;
  private static final int GAP = 12;
  private static final int TITLE = 14;

  /** The shades of a cell. A weight below half a step is not drawn. */
  private static final int SHADES = 5;

  private PositionPicture() {}

  /** One grid: block k at level l. */
  private record Grid(String title, int block, int level) {}

  static String svg(PositionalScheme scheme, int length) {
    List<Grid> grids = grids(scheme, length);
    int side = CELL * length;
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < grids.size(); i++) {
      append(body, scheme, grids.get(i), length, i * (side + GAP));
    }
    return """
    <svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %1$s %2$s" width="%1$s"\
     height="%2$s" font-size="11" font-family="sans-serif">
    <title>What queries (rows) see of keys (columns): %3$s at %4$s tokens</title>
    <style>rect { fill: #f3f4f6 } path { fill: #0072b2 } .way { fill: #d55e00 } text { fill: #777 }</style>
    %5$s</svg>
    """
        .formatted(grids.size() * (side + GAP) - GAP, side + TITLE, scheme.label(), length, body);
  }

  private static List<Grid> grids(PositionalScheme scheme, int length) {
    int levels = scheme.reach().levels(length);
    if (scheme.reach().hasDilation()) {
      return IntStream.range(0, levels)
          .mapToObj(level -> new Grid("level " + level, 0, level))
          .toList();
    }
    List<Grid> grids = new ArrayList<>();
    Set<PositionalScheme> drawn = new HashSet<>();
    for (int block = 0; block < scheme.period(); block++) {
      if (hasAttention(scheme, block) && drawn.add(scheme.inBlock(block))) {
        grids.add(new Grid("block " + block, block, 0));
      }
    }
    if (grids.isEmpty()) {
      throw new ConfigException(
          "--position",
          "a scheme with attention",
          scheme.label() + ", a recurrence without keys",
          "name another file");
    }
    return grids.size() > 1 ? grids : List.of(new Grid("", grids.get(0).block, 0));
  }

  private static boolean hasAttention(PositionalScheme scheme, int block) {
    return scheme.inBlock(block).recurrence(HEADS, HEADS * HEAD_WIDTH).isEmpty();
  }

  /** A path for each shade keeps a picture of 16 tokens below ten thousand bytes. */
  private static void append(
      StringBuilder body, PositionalScheme scheme, Grid grid, int length, int left) {
    StringBuilder[] shades = new StringBuilder[SHADES + 1];
    StringBuilder way = new StringBuilder();
    Arrays.setAll(shades, i -> new StringBuilder());
    long step = scheme.reach().dilation(grid.level + 1);
    for (int m = 0; m < length; m++) {
      double[] weights = weights(scheme, grid, length, m);
      double largest = Arrays.stream(weights).max().orElseThrow();
      boolean isOnWay = scheme.reach().hasDilation() && (length - 1 - m) % step == 0;
      for (int n = 0; n < weights.length; n++) {
        int shade = (int) Math.round(SHADES * weights[n] / largest);
        if (shade > 0) {
          (isOnWay ? way : shades[shade])
              .append("M%s %sh7v7h-7z".formatted(left + CELL * n, TITLE + CELL * m));
        }
      }
    }
    int side = CELL * length;
    body.append("<text x=\"%s\" y=\"10\">%s</text>\n".formatted(left, grid.title));
    body.append(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n"
            .formatted(left, TITLE, side, side));
    for (int shade = 1; shade <= SHADES; shade++) {
      if (!shades[shade].isEmpty()) {
        body.append(
            String.format(
                Locale.ROOT,
                "<path opacity=\"%.1f\" d=\"%s\"/>%n",
                (double) shade / SHADES,
                shades[shade]));
      }
    }
    if (!way.isEmpty()) {
      body.append("<path class=\"way\" d=\"%s\"/>\n".formatted(way));
    }
  }

  /** The weights of the keys 0..m in the middle head. */
  private static double[] weights(PositionalScheme scheme, Grid grid, int length, int query) {
    PositionalScheme own = scheme.inBlock(grid.block);
    Map<String, double[]> values =
        own.parameters(HEADS, HEADS * HEAD_WIDTH).stream()
            .collect(
                Collectors.toMap(PositionalParameter::name, PositionPicture::first, (a, b) -> a));
    ReferenceAttention attention =
        ReferenceAttention.of(
            scheme,
            new PositionalValues(HEADS, HEAD_WIDTH, grid.block, length, values),
            true,
            length);
    double[][][] ones_HTD = new double[HEADS][length][HEAD_WIDTH];
    Arrays.stream(ones_HTD).flatMap(Arrays::stream).forEach(row -> Arrays.fill(row, 1));
    double[][] carried_TE = new double[length][own.cost(HEADS).numCarried()];
    ReferenceAttention.Rows rows = attention.rows(ones_HTD, ones_HTD, carried_TE);
    return own.weights(own.scores(rows, HEADS / 2 - 1, grid.level, query));
  }

  private static double[] first(PositionalParameter parameter) {
    double[] numbers =
        new double
            [parameter.shape().stream().mapToInt(Integer::intValue).reduce(1, (a, b) -> a * b)];
    Initial initial = parameter.initial();
    if (initial instanceof Initial.Numbers stored) {
      Arrays.setAll(numbers, i -> stored.values().get(i));
    } else if (initial instanceof Initial.Constant constant) {
      Arrays.fill(numbers, constant.value());
    } else if (initial instanceof Initial.Uniform uniform) {
      Arrays.fill(numbers, (uniform.low() + uniform.high()) / 2);
    }
    return numbers;
  }
}
