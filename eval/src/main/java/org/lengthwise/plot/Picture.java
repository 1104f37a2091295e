package org.lengthwise.plot;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import javax.imageio.ImageIO;
import org.lengthwise.artifact.AtomicFile;

/** A figure as SVG and as PNG, from one drawing. */
public final class Picture {
  /** Pixels of the PNG for each unit of the drawing, sharp on dense screens and on paper. */
  private static final int PNG_SCALE = 2;

  private final String name;
  private final int width;
  private final int height;
  private final Consumer<Canvas> drawing;

  private Picture(String name, int width, int height, Consumer<Canvas> drawing) {
    this.name = name;
    this.width = width;
    this.height = height;
    this.drawing = drawing;
  }

  public Picture(Chart chart) {
    this(
        chart.name(),
        ChartPainter.WIDTH,
        ChartPainter.HEIGHT,
        canvas -> ChartPainter.paint(chart, canvas));
  }

  public Picture(HeatMap map) {
    this(map.name(), map.width(), map.height(), map::paint);
  }

  public Picture(WeightMap map) {
    this(map.name(), map.width(), map.height(), map::paint);
  }

  /** {@return the names of its files} */
  public List<String> files() {
    return List.of(name + ".svg", name + ".png");
  }

  /** Writes {@code NAME.svg} and {@code NAME.png}; existing files are replaced. */
  public List<Path> write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path svg = folder.resolve(files().get(0));
    Path png = folder.resolve(files().get(1));
    byte[] vectors = svg().getBytes(StandardCharsets.UTF_8);
    byte[] pixels = png();
    AtomicFile.write(svg, out -> out.write(vectors));
    AtomicFile.write(png, out -> out.write(pixels));
    return List.of(svg, png);
  }

  private byte[] png() throws IOException {
    BufferedImage image =
        new BufferedImage(PNG_SCALE * width, PNG_SCALE * height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      graphics.scale(PNG_SCALE, PNG_SCALE);
      drawing.accept(new Canvas.Pixels(graphics));
    } finally {
      graphics.dispose();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  /**
   * {@return the figure as an SVG element, whose letters are outlines, so it looks the same without
   * its fonts}
   */
  public String svg() {
    Canvas.Svg svg = new Canvas.Svg();
    drawing.accept(svg);
    return svg.element(width, height);
  }
}
