package org.lengthwise.plot;

import java.awt.Color;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The looks of series: colour, dash pattern and marker, for pictures and for the page.
 *
 * <p>Readers with a common colour deficiency can distinguish the colours (after Okabe and Ito,
 * darkened where white paper needs it). Dash pattern and marker alone also identify a series, for a
 * print without colours. After {@value #NUM_COLOURS} looks the colours repeat in a darker shade,
 * with other dashes and markers.
 */
public final class Palette {
  static final Color INK = new Color(0x33373d);

  static final Color GRID = new Color(0xe3e5e8);

  static final Color MARK = new Color(0x8a8f98);

  /** Words at marked values, dark enough to read. */
  static final Color MARK_TEXT = new Color(0x5c626b);

  public enum Marker {
    CIRCLE,
    /** A square on its side. */
    SQUARE,
    /** A triangle on its side. */
    TRIANGLE,
    /** A square on its corner. */
    DIAMOND,
    /** A triangle on its corner. */
    TRIANGLE_DOWN
  }

  /**
   * The appearance of a series, without its colour.
   *
   * @param dash alternating lengths of strokes and gaps; empty for a solid line
   */
  public record Look(List<Integer> dash, Marker marker) {}

  private static final int NUM_COLOURS = 8;

  private static final int[] ON_LIGHT = {
    0x0072b2, 0xd98c00, 0x009e73, 0xd55e00, 0xb8588f, 0x4ba6dc, 0x8f8010, 0x6f757e
  };

  private static final int[] ON_DARK = {
    0x4d9fe0, 0xf0b03c, 0x2fc398, 0xf5843c, 0xde8bbb, 0x8fd0f7, 0xc6b63f, 0xa5abb4
  };

  private static final List<Marker> MARKERS =
      List.of(
          Marker.CIRCLE,
          Marker.SQUARE,
          Marker.TRIANGLE,
          Marker.DIAMOND,
          Marker.TRIANGLE_DOWN,
          Marker.CIRCLE,
          Marker.SQUARE,
          Marker.DIAMOND);

  private static final List<List<Integer>> DASHES =
      List.of(
          List.of(),
          List.of(7, 3),
          List.of(2, 3),
          List.of(8, 3, 2, 3),
          List.of(12, 3),
          List.of(5, 5),
          List.of(4, 2),
          List.of(10, 3, 2, 3, 2, 3));

  /** The share of a colour in its darker form; the rest is ink. */
  private static final float DARKENED = 0.6f;

  private Palette() {}

  /** {@return how often the colours begin anew for some looks, rounded up} */
  public static int rounds(int numLooks) {
    return (numLooks + NUM_COLOURS - 1) / NUM_COLOURS;
  }

  /** {@return the look with the colour of another one, some rounds later} */
  public static int kin(int look, int rounds) {
    return look % NUM_COLOURS + rounds * NUM_COLOURS;
  }

  static Look look(int look) {
    int round = look / NUM_COLOURS;
    return new Look(
        DASHES.get((look + 2 * round) % NUM_COLOURS), MARKERS.get((look + round) % NUM_COLOURS));
  }

  public static List<Look> looks(int count) {
    return IntStream.range(0, count).mapToObj(Palette::look).toList();
  }

  private static boolean isDarker(int look) {
    return look / NUM_COLOURS % 2 == 1;
  }

  static Color colour(int look) {
    Color colour = new Color(ON_LIGHT[look % NUM_COLOURS]);
    if (!isDarker(look)) {
      return colour;
    }
    float[] from = INK.getRGBColorComponents(null);
    float[] to = colour.getRGBColorComponents(null);
    return new Color(
        from[0] + DARKENED * (to[0] - from[0]),
        from[1] + DARKENED * (to[1] - from[1]),
        from[2] + DARKENED * (to[2] - from[2]));
  }

  /**
   * {@return the colours as style rules: the class {@code look-N} has the colour of look N, on
   * light and on dark screens}
   */
  public static String css(int count) {
    StringBuilder css = new StringBuilder(":root {");
    css.append(" --plot-ink: %s; --plot-grid: %s;".formatted(hex(INK), hex(GRID)));
    css.append(" --plot-mark: %s;".formatted(hex(MARK))).append(colours(ON_LIGHT)).append(" }\n");
    css.append("@media screen and (prefers-color-scheme: dark) { :root {")
        .append(" --plot-ink: #cdd2d8; --plot-grid: #292e34; --plot-mark: #7d848d;")
        .append(colours(ON_DARK))
        .append(" } }\n");
    for (int i = 0; i < count; i++) {
      String colour = "var(--look-%s)".formatted(i % NUM_COLOURS);
      css.append(
          ".look-%s { color: %s; }\n"
              .formatted(
                  i,
                  isDarker(i)
                      ? "color-mix(in srgb, %s %s%%, var(--plot-ink))"
                          .formatted(colour, Math.round(100 * DARKENED))
                      : colour));
    }
    return css.toString();
  }

  private static String colours(int[] colours) {
    StringBuilder css = new StringBuilder();
    for (int i = 0; i < colours.length; i++) {
      css.append(" --look-%s: %s;".formatted(i, hex(new Color(colours[i]))));
    }
    return css.toString();
  }

  private static String hex(Color colour) {
    return String.format(Locale.ROOT, "#%06x", colour.getRGB() & 0xffffff);
  }
}
