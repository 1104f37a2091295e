package org.lengthwise.eval.report;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.lengthwise.dataprep.artifact.AtomicFile;

/**
 * A drawn plot, ready for its files.
 *
 * @param name the file name without its ending
 * @param title what the plot shows, for readers who cannot see it
 * @param chart the drawing
 */
record Plot(String name, String title, XYChart chart) {
  /** Pixels of the PNG for each unit of the drawing, sharp on dense screens and on paper. */
  private static final int PNG_SCALE = 2;

  private static final Pattern CLIP = Pattern.compile("clip\\d+");

  /**
   * Writes the plot as {@code NAME.svg} and {@code NAME.png}, over earlier ones.
   *
   * @return the two files
   */
  List<Path> write(Path folder) throws IOException {
    Path svg = folder.resolve(name + ".svg");
    Path png = folder.resolve(name + ".png");
    byte[] drawing = svg().getBytes(StandardCharsets.UTF_8);
    byte[] picture = png();
    AtomicFile.write(svg, out -> out.write(drawing));
    AtomicFile.write(png, out -> out.write(picture));
    return List.of(svg, png);
  }

  private byte[] png() throws IOException {
    BufferedImage image =
        new BufferedImage(
            PNG_SCALE * chart.getWidth(),
            PNG_SCALE * chart.getHeight(),
            BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      graphics.scale(PNG_SCALE, PNG_SCALE);
      chart.paint(graphics, chart.getWidth(), chart.getHeight());
    } finally {
      graphics.dispose();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  /** The plot as SVG; letters are outlines, so that it looks the same everywhere. */
  String svg() {
    VectorGraphics2D graphics = new VectorGraphics2D();
    chart.paint(graphics, chart.getWidth(), chart.getHeight());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      Processors.get("svg")
          .getDocument(
              graphics.getCommands(), new PageSize(0, 0, chart.getWidth(), chart.getHeight()))
          .writeTo(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("an array in memory cannot be written", e);
    }
    return CompactSvg.of(withStableNames(bytes.toString(StandardCharsets.UTF_8)));
  }

  /** The library names clip paths after object hashes; several plots share one page. */
  private String withStableNames(String svg) {
    Map<String, String> names = new LinkedHashMap<>();
    return CLIP.matcher(svg)
        .replaceAll(
            clip ->
                Matcher.quoteReplacement(
                    names.computeIfAbsent(clip.group(), old -> name + "-clip-" + names.size())));
  }
}
