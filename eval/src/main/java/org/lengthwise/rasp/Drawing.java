package org.lengthwise.rasp;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The picture of an s-op on one input, after figures 16 to 19 of the paper.
 *
 * <p>Layers stand from left to right. A layer has its heads, then the values that it yields, a row
 * each. A head is a grid: a row is a query, a column is a key, and selected cells are filled. The
 * keys and queries that decide the selection stand along the edges. A row of values has a number,
 * its kind (X: aggregated by a head; FF: computed at each position), its name, and the rows that it
 * is computed from. A step without a name that only another elementwise step uses is part of that
 * step.
 */
final class Drawing {
  private static final int LONGEST_VALUE = 6;
  private static final int LONGEST_NAME = 34;
  private static final int LONGEST_DEFINITION = 90;
  private static final double GAP = 16;

  /** The width of a character of the font, in font sizes. */
  private static final double ADVANCE = 0.61;

  private static final double LINE = 1.6;

  private final String name;
  private final Node target;
  private final Graph graph;
  private final List<Atom> tokens;
  private final Run run;
  private final Map<Node, Integer> numbers = new HashMap<>();
  private final double font;
  private final Svg svg = new Svg();

  Drawing(String name, Node target, Graph graph, List<Atom> tokens) {
    this.name = name;
    this.target = target;
    this.graph = graph;
    this.tokens = tokens;
    this.run = new Run(tokens, target);
    this.font = tokens.size() <= 30 ? 12 : tokens.size() <= 60 ? 9 : 7;
    shown().forEach(node -> numbers.put(node, numbers.size() + 1));
  }

  /** The file. */
  String svg() {
    String input = tokens.stream().map(Atom::toString).collect(Collectors.joining());
    String title = "%s(\"%s\")".formatted(name, input);
    Sizes sizes = Sizes.of(target);
    svg.text(GAP, GAP + font, "title", title + ": heads by layer " + sizes.heads());
    double x = GAP;
    double bottom = 0;
    for (int layer = 0; layer <= sizes.layers(); layer++) {
      Block block = new Block(layer, x, 2 * GAP + font);
      block.draw();
      x += block.width() + GAP;
      bottom = Math.max(bottom, block.bottom());
    }
    double width = Math.max(x, 2 * GAP + textWidth(title) + 30 * font);
    return svg.file(width, bottom + GAP, font, title);
  }

  /** The steps that have a row, by layer. */
  private List<Node> shown() {
    List<Node> steps = target.ancestry();
    Map<Node, List<Node>> users = new HashMap<>();
    steps.forEach(
        step ->
            step.inputs()
                .forEach(input -> users.computeIfAbsent(input, n -> new ArrayList<>()).add(step)));
    return steps.stream()
        .filter(step -> !step.isSelector() && !isConstant(step))
        .filter(step -> step == target || !isPart(step, users.getOrDefault(step, List.of())))
        .sorted(Comparator.comparingInt(Node::layer))
        .toList();
  }

  private boolean isPart(Node step, List<Node> users) {
    return step.operation() instanceof Operation.Elementwise
        && !graph.isNamed(step)
        && users.size() == 1
        && users.get(0).operation() instanceof Operation.Elementwise;
  }

  private static boolean isConstant(Node step) {
    return step.operation() instanceof Operation.Constant;
  }

  private String nameOf(Node step) {
    return cut(step == target ? name : graph.text(step), LONGEST_NAME);
  }

  /** The numbers of the rows that a step is computed from. */
  private Set<Integer> sources(Node step) {
    Set<Integer> found = new TreeSet<>();
    for (Node input : step.inputs()) {
      if (numbers.containsKey(input)) {
        found.add(numbers.get(input));
      } else if (!input.isSelector()) {
        found.addAll(sources(input));
      }
    }
    return found;
  }

  private static String list(Set<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ")"));
  }

  private double textWidth(String text) {
    return text.codePointCount(0, text.length()) * ADVANCE * font;
  }

  private static String cut(String text, int longest) {
    return text.codePointCount(0, text.length()) <= longest
        ? text
        : text.substring(0, text.offsetByCodePoints(0, longest - 1)) + "…";
  }

  /** A value in a cell. A long fraction has three digits. */
  private static String shortText(Atom atom) {
    if (atom instanceof Atom.Fraction number && number.toString().length() > LONGEST_VALUE) {
      return new BigDecimal(number.value().getNumerator())
          .divide(new BigDecimal(number.value().getDenominator()), new MathContext(3))
          .toString();
    }
    return cut(atom.toString(), LONGEST_VALUE);
  }

  private List<String> cells(Node step) {
    return run.values(step).stream().map(Drawing::shortText).toList();
  }

  private double widest(List<Node> steps) {
    return steps.stream()
        .flatMap(step -> cells(step).stream())
        .mapToDouble(cell -> textWidth(cell) + 0.5 * font)
        .reduce(LINE * font, Math::max);
  }

  /** A head: its selector and the s-ops that decide what it selects. */
  private record Head(int number, Node selector, List<Node> keys, List<Node> queries) {
    static Head of(int number, Node selector) {
      Set<Node> keys = new LinkedHashSet<>();
      Set<Node> queries = new LinkedHashSet<>();
      collect(selector, keys, queries);
      return new Head(number, selector, List.copyOf(keys), List.copyOf(queries));
    }

    private static void collect(Node selector, Set<Node> keys, Set<Node> queries) {
      List<Node> inputs = selector.inputs();
      for (Node input : inputs) {
        if (input.isSelector()) {
          collect(input, keys, queries);
        }
      }
      if (!(selector.operation() instanceof Operation.Combine)) {
        keys.add(inputs.get(inputs.size() - 2));
        queries.add(inputs.get(inputs.size() - 1));
        keys.removeIf(Drawing::isConstant);
        queries.removeIf(Drawing::isConstant);
      }
    }
  }

  /** One layer of the picture. */
  private final class Block {
    private final int layer;
    private final double left;
    private final double top;
    private final List<Head> heads = new ArrayList<>();
    private final List<Node> rows;
    private final double cell;
    private final double labels;
    private double y;

    Block(int layer, double left, double top) {
      this.layer = layer;
      this.left = left;
      this.top = top;
      for (Node selector : Sizes.heads(target, layer)) {
        heads.add(Head.of(heads.size() + 1, selector));
      }
      rows =
          numbers.keySet().stream()
              .filter(step -> step.layer() == layer)
              .sorted(Comparator.comparing(numbers::get))
              .toList();
      List<Node> columns = new ArrayList<>(rows);
      heads.forEach(head -> columns.addAll(head.keys()));
      cell = widest(columns);
      double rowLabels =
          rows.stream().mapToDouble(row -> textWidth(label(row))).reduce(0, Math::max);
      double queries = heads.stream().mapToDouble(head -> queriesWidth(head)).reduce(0, Math::max);
      labels = Math.max(rowLabels + font, queries);
      y = top;
    }

    private double queriesWidth(Head head) {
      return head.queries().stream().mapToDouble(query -> widest(List.of(query))).sum();
    }

    private double line() {
      return LINE * font;
    }

    private double cellsLeft() {
      return left + font + labels;
    }

    private double cellsRight() {
      return cellsLeft() + tokens.size() * cell;
    }

    double width() {
      double notes = rows.stream().mapToDouble(row -> textWidth(note(row))).reduce(0, Math::max);
      double titles = 0;
      for (Head head : heads) {
        for (Node key : head.keys()) {
          notes = Math.max(notes, textWidth(mention("key", key)));
        }
        titles =
            Math.max(titles, Math.max(textWidth(title(head)) * 1.05, textWidth(definition(head))));
      }
      return Math.max(cellsRight() - left + 2 * font + notes, titles + 2 * font);
    }

    double bottom() {
      return y;
    }

    void draw() {
      double height = line() + heads.stream().mapToDouble(this::height).sum() + rowsHeight();
      svg.box(left, top, width(), height, "layer");
      y = top + line();
      svg.text(left + font, y - 0.3 * font, "title", layer == 0 ? "input" : "layer " + layer);
      heads.forEach(this::draw);
      rows.forEach(this::draw);
      y = top + height;
    }

    private double rowsHeight() {
      return (rows.size() + 0.6) * line();
    }

    private double height(Head head) {
      return (3.2 + head.keys().size() + head.queries().size() + tokens.size()) * line();
    }

    private String title(Head head) {
      String known = graph.isNamed(head.selector()) ? ": " + graph.text(head.selector()) : "";
      return "head " + head.number() + known;
    }

    private String definition(Head head) {
      return cut(graph.definition(head.selector()), LONGEST_DEFINITION);
    }

    /** The name of a key or a query, with the number of its row. */
    private String mention(String role, Node step) {
      return role + " " + nameOf(step) + " (" + numbers.get(step) + ")";
    }

    private void draw(Head head) {
      double start = y;
      svg.text(left + font, y + line() - 0.4 * font, "title", title(head));
      svg.text(left + font, y + 2 * line() - 0.4 * font, "faint", definition(head));
      y += 2.2 * line();
      for (Node key : head.keys()) {
        valueRow(key, "key");
        svg.text(cellsRight() + 0.5 * font, y + line() - 0.4 * font, "faint", mention("key", key));
        y += line();
      }
      double gridTop = y;
      grid(head.selector());
      y += tokens.size() * line();
      double x = cellsLeft() - queriesWidth(head);
      for (int i = 0; i < head.queries().size(); i++) {
        Node query = head.queries().get(i);
        double width = widest(List.of(query));
        column(query, x, gridTop, width);
        double labelled = y + (head.queries().size() - i) * line() - 0.4 * font;
        svg.text(x + 0.2 * font, labelled, "faint", mention("query", query));
        x += width;
      }
      y = start + height(head);
    }

    private void column(Node query, double x, double gridTop, double width) {
      List<String> values = cells(query);
      svg.box(x, gridTop, width, values.size() * line(), "query");
      for (int i = 0; i < values.size(); i++) {
        svg.centred(x + width / 2, gridTop + (i + 1) * line() - 0.4 * font, "value", values.get(i));
      }
      svg.path(lines(x, gridTop, 1, values.size(), width), "line");
    }

    private void grid(Node selector) {
      int length = tokens.size();
      svg.box(cellsLeft(), y, length * cell, length * line(), "off");
      StringBuilder selected = new StringBuilder();
      List<BitSet> bits = run.rows(selector);
      for (int i = 0; i < length; i++) {
        BitSet row = bits.get(i);
        for (int from = row.nextSetBit(0); from >= 0; ) {
          int to = row.nextClearBit(from);
          selected.append(
              "M%s %sh%sv%sh%sz"
                  .formatted(
                      Svg.number(cellsLeft() + from * cell),
                      Svg.number(y + i * line()),
                      Svg.number((to - from) * cell),
                      Svg.number(line()),
                      Svg.number((from - to) * cell)));
          from = row.nextSetBit(to);
        }
      }
      svg.path(selected, "on");
      svg.path(lines(cellsLeft(), y, length, length, cell), "line");
    }

    /** The lines of a table. */
    private String lines(double x, double y0, int columns, int numRows, double width) {
      StringBuilder data = new StringBuilder();
      for (int i = 0; i <= columns; i++) {
        data.append(
            "M%s %sv%s"
                .formatted(
                    Svg.number(x + i * width), Svg.number(y0), Svg.number(numRows * line())));
      }
      for (int i = 0; i <= numRows; i++) {
        data.append(
            "M%s %sh%s"
                .formatted(
                    Svg.number(x), Svg.number(y0 + i * line()), Svg.number(columns * width)));
      }
      return data.toString();
    }

    /** One line of values at the current height. */
    private void valueRow(Node step, String style) {
      List<String> values = cells(step);
      svg.box(cellsLeft(), y, values.size() * cell, line(), style);
      for (int i = 0; i < values.size(); i++) {
        svg.centred(
            cellsLeft() + (i + 0.5) * cell, y + line() - 0.4 * font, "value", values.get(i));
      }
      svg.path(lines(cellsLeft(), y, values.size(), 1, cell), "line");
    }

    private String kind(Node row) {
      return row.operation() instanceof Operation.Aggregate
          ? "X"
          : row.operation() instanceof Operation.Input ? "in" : "FF";
    }

    private String label(Node row) {
      return "%d %-2s %s".formatted(numbers.get(row), kind(row), nameOf(row));
    }

    private String note(Node row) {
      if (row.operation() instanceof Operation.Input) {
        return "";
      }
      Set<Integer> sources = sources(row);
      if (!(row.operation() instanceof Operation.Aggregate)) {
        return "from " + list(sources);
      }
      Node selector = row.inputs().get(0);
      Head head = heads.stream().filter(h -> h.selector() == selector).findFirst().orElseThrow();
      String values = sources.isEmpty() ? graph.text(row.inputs().get(1)) : list(sources);
      return "head " + head.number() + ", from " + values;
    }

    private void draw(Node row) {
      svg.text(left + font, y + line() - 0.4 * font, "value", label(row));
      valueRow(row, kind(row).equals("in") ? "input" : kind(row).equals("X") ? "x" : "ff");
      svg.text(cellsRight() + 0.5 * font, y + line() - 0.4 * font, "faint", note(row));
      y += line();
    }
  }
}
