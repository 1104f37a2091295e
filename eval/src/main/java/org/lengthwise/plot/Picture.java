package org.lengthwise.plot;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.intermediate.CommandSequence;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.lengthwise.artifact.AtomicFile;

/** A chart as SVG and as PNG, drawn by XChart. */
public final class Picture {
  /** Pixels of the PNG for each unit of the drawing, sharp on dense screens and on paper. */
  private static final int PNG_SCALE = 2;

  private final Chart chart;
  private final XYChart drawing;

  /**
   * Draws a chart.
   *
   * @param chart the chart
   */
  public Picture(Chart chart) {
    this.chart = chart;
    this.drawing = ChartDrawing.of(chart);
  }

  /**
   * Writes {@code NAME.svg} and {@code NAME.png}; existing files are replaced.
   *
   * @param folder the destination, created if it does not exist
   * @return the two files
   * @throws IOException if a file cannot be written
   */
  public List<Path> write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path svg = folder.resolve(chart.name() + ".svg");
    Path png = folder.resolve(chart.name() + ".png");
    byte[] vectors = svg().getBytes(StandardCharsets.UTF_8);
    byte[] pixels = png();
    AtomicFile.write(svg, out -> out.write(vectors));
    AtomicFile.write(png, out -> out.write(pixels));
    return List.of(svg, png);
  }

  private byte[] png() throws IOException {
    BufferedImage image =
        new BufferedImage(
            PNG_SCALE * drawing.getWidth(),
            PNG_SCALE * drawing.getHeight(),
            BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      graphics.scale(PNG_SCALE, PNG_SCALE);
      drawing.paint(graphics, drawing.getWidth(), drawing.getHeight());
    } finally {
      graphics.dispose();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  /**
   * {@return the chart as an SVG element, whose letters are outlines, so it looks the same without
   * its fonts}
   */
  public String svg() {
    VectorGraphics2D graphics = new VectorGraphics2D();
    drawing.paint(graphics, drawing.getWidth(), drawing.getHeight());
    CommandSequence commands = graphics.getCommands();
    PageSize size = new PageSize(0, 0, drawing.getWidth(), drawing.getHeight());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      Processors.get("svg").getDocument(commands, size).writeTo(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("an array in memory cannot be written", e);
    }
    return CompactSvg.of(bytes.toString(StandardCharsets.UTF_8), chart.name());
  }
}
