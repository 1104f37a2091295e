package org.lengthwise.rasp;

import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * Draws a {@link Diagram}. Layers stand from left to right, each with its heads above its rows. A
 * head is a grid: a row is a query, a column is a key, and selected cells are filled. The keys and
 * queries that decide the selection stand along the edges.
 */
final class Drawing {
  private static final double GAP = 16;

  /** The width of a character of the font, in font sizes. */
  private static final double ADVANCE = 0.61;

  private final Svg svg = new Svg();
  private final int length;
  private final double font;
  private final double line;

  private Drawing(int length) {
    this.length = length;
    this.font = length <= 30 ? 12 : length <= 60 ? 9 : 7;
    this.line = 1.6 * font;
  }

  static String of(Diagram diagram, int length) {
    return new Drawing(length).file(diagram);
  }

  private String file(Diagram diagram) {
    List<Diagram.Layer> layers = diagram.layers();
    List<Integer> heads = layers.stream().skip(1).map(layer -> layer.heads().size()).toList();
    svg.text(GAP, GAP + font, "title", diagram.title() + ": heads by layer " + heads);
    double x = GAP;
    double bottom = 0;
    for (Diagram.Layer layer : layers) {
      Block block = new Block(layer, x, 2 * GAP + font);
      block.draw();
      x += block.width + GAP;
      bottom = Math.max(bottom, block.top + block.height);
    }
    double width = Math.max(x, 2 * GAP + width(diagram.title()) + 30 * font);
    return svg.file(width, bottom + GAP, font, diagram.title());
  }

  private double width(String text) {
    return text.codePointCount(0, text.length()) * ADVANCE * font;
  }

  private double widest(Stream<String> texts) {
    return texts.mapToDouble(this::width).reduce(0, Math::max);
  }

  private double cellWidth(Stream<Diagram.Row> rows) {
    return Math.max(line, widest(rows.flatMap(row -> row.cells().stream())) + 0.5 * font);
  }

  private double queriesWidth(Diagram.Head head) {
    return head.queries().stream().mapToDouble(query -> cellWidth(Stream.of(query))).sum();
  }

  private double height(Diagram.Head head) {
    return (3.2 + head.keys().size() + head.queries().size() + length) * line;
  }

  private final class Block {
    private final Diagram.Layer layer;
    private final double left;
    private final double top;
    private final double cell;
    private final double cellsLeft;
    private final double cellsRight;
    private final double width;
    private final double height;

    Block(Diagram.Layer layer, double left, double top) {
      this.layer = layer;
      this.left = left;
      this.top = top;
      List<Diagram.Head> heads = layer.heads();
      List<Diagram.Row> keys =
          heads.stream().map(Diagram.Head::keys).flatMap(List::stream).toList();
      cell = cellWidth(Stream.concat(layer.rows().stream(), keys.stream()));
      double labels = widest(layer.rows().stream().map(Diagram.Row::label)) + font;
      double queries = heads.stream().mapToDouble(Drawing.this::queriesWidth).reduce(0, Math::max);
      cellsLeft = left + font + Math.max(labels, queries);
      cellsRight = cellsLeft + length * cell;
      double notes =
          widest(
              Stream.concat(
                  layer.rows().stream().map(Diagram.Row::note),
                  keys.stream().map(Diagram.Row::label)));
      double titles =
          Math.max(
              1.05 * widest(heads.stream().map(Diagram.Head::title)),
              widest(heads.stream().map(Diagram.Head::definition)));
      width = Math.max(cellsRight - left + 2 * font + notes, titles + 2 * font);
      double headsHeight = heads.stream().mapToDouble(Drawing.this::height).sum();
      height = line + headsHeight + (layer.rows().size() + 0.6) * line;
    }

    void draw() {
      svg.box(left, top, width, height, "layer");
      double y = top + line;
      svg.text(left + font, y - 0.3 * font, "title", layer.title());
      for (Diagram.Head head : layer.heads()) {
        draw(head, y);
        y += height(head);
      }
      for (Diagram.Row row : layer.rows()) {
        text(left + font, y, "value", row.label());
        table(cellsLeft, y, cell, List.of(row.cells()), row.style());
        text(cellsRight + 0.5 * font, y, "faint", row.note());
        y += line;
      }
    }

    private void draw(Diagram.Head head, double top) {
      text(left + font, top, "title", head.title());
      text(left + font, top + line, "faint", head.definition());
      double y = top + 2.2 * line;
      for (Diagram.Row key : head.keys()) {
        table(cellsLeft, y, cell, List.of(key.cells()), key.style());
        text(cellsRight + 0.5 * font, y, "faint", key.label());
        y += line;
      }
      grid(head.selected(), y);
      double x = cellsLeft - queriesWidth(head);
      double label = y + (length + head.queries().size() - 1) * line;
      for (Diagram.Row query : head.queries()) {
        double queryWidth = cellWidth(Stream.of(query));
        table(x, y, queryWidth, query.cells().stream().map(List::of).toList(), query.style());
        text(x + 0.2 * font, label, "faint", query.label());
        x += queryWidth;
        label -= line;
      }
    }

    private void grid(List<BitSet> selected, double y) {
      svg.box(cellsLeft, y, length * cell, length * line, "off");
      StringBuilder filled = new StringBuilder();
      for (int i = 0; i < length; i++) {
        BitSet row = selected.get(i);
        for (int from = row.nextSetBit(0); from >= 0; ) {
          int to = row.nextClearBit(from);
          double runWidth = (to - from) * cell;
          filled.append(
              Svg.format(
                  "M%s %sh%sv%sh%sz",
                  cellsLeft + from * cell, y + i * line, runWidth, line, -runWidth));
          from = row.nextSetBit(to);
        }
      }
      svg.path(filled, "on");
      lines(cellsLeft, y, cell, length, length);
    }
  }

  /** A text in a line of the drawing, whose top is at y. */
  private void text(double x, double y, String style, String text) {
    svg.text(x, y + line - 0.4 * font, style, text);
  }

  private void table(double x, double y, double cell, List<List<String>> rows, String style) {
    int numColumns = rows.get(0).size();
    svg.box(x, y, numColumns * cell, rows.size() * line, style);
    double top = y;
    for (List<String> row : rows) {
      for (int j = 0; j < numColumns; j++) {
        svg.centred(x + (j + 0.5) * cell, top + line - 0.4 * font, "value", row.get(j));
      }
      top += line;
    }
    lines(x, y, cell, numColumns, rows.size());
  }

  private void lines(double x, double y, double cell, int numColumns, int numRows) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i <= numColumns; i++) {
      lines.append(Svg.format("M%s %sv%s", x + i * cell, y, numRows * line));
    }
    for (int i = 0; i <= numRows; i++) {
      lines.append(Svg.format("M%s %sh%s", x, y + i * line, numColumns * cell));
    }
    svg.path(lines, "line");
  }
}
