package org.lengthwise.rasp;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The content of the picture of an s-op on one input, after figures 16 to 19 of the paper. {@link
 * Drawing} draws it.
 *
 * <p>A layer has its heads, then the values that it yields, a row each. A row has a number, its
 * kind (X: aggregated by a head; FF: computed at each position), its name, and the numbers of the
 * rows that it is computed from. A step without a name that only another elementwise step uses is
 * part of that step.
 */
final class Diagram {
  private static final int LONGEST_VALUE = 6;
  private static final int LONGEST_NAME = 44;
  private static final int LONGEST_DEFINITION = 90;

  record Layer(String title, List<Head> heads, List<Row> rows) {}

  /**
   * A head.
   *
   * @param keys the s-ops that decide what the head selects, at the positions of the keys
   * @param queries those at the positions of the queries
   */
  record Head(
      String title, String definition, List<BitSet> selected, List<Row> keys, List<Row> queries) {}

  /**
   * The values of an s-op.
   *
   * @param style the style class of its cells
   * @param label the text before the cells
   * @param note the text after the cells
   */
  record Row(String style, String label, List<String> cells, String note) {}

  private final String name;
  private final Node target;
  private final Graph graph;
  private final List<Atom> tokens;
  private final Run run;

  /** The numbers of the steps that have a row, in their order. */
  private final Map<Node, Integer> numbers = new LinkedHashMap<>();

  Diagram(String name, Node target, Graph graph, List<Atom> tokens) {
    this.name = name;
    this.target = target;
    this.graph = graph;
    this.tokens = tokens;
    List<Node> steps = target.ancestry();
    this.run = new Run(tokens, steps);
    steps.stream()
        .filter(step -> !step.isSelector())
        .filter(step -> step == target || (!isConstant(step) && !isPart(step, steps)))
        .sorted(Comparator.comparingInt(Node::layer))
        .forEach(step -> numbers.put(step, numbers.size() + 1));
  }

  String title() {
    return "%s(\"%s\")"
        .formatted(name, tokens.stream().map(Atom::toString).collect(Collectors.joining()));
  }

  List<Layer> layers() {
    return IntStream.rangeClosed(0, target.layer()).mapToObj(this::layer).toList();
  }

  private Layer layer(int layer) {
    List<Node> selectors = target.heads(layer);
    return new Layer(
        layer == 0 ? "input" : "layer " + layer,
        IntStream.range(0, selectors.size()).mapToObj(i -> head(i + 1, selectors.get(i))).toList(),
        numbers.keySet().stream()
            .filter(step -> step.layer() == layer)
            .map(step -> row(step, selectors))
            .toList());
  }

  private static boolean isConstant(Node step) {
    return step.operation() instanceof Operation.Constant;
  }

  private boolean isPart(Node step, List<Node> steps) {
    if (!(step.operation() instanceof Operation.Elementwise) || graph.isNamed(step)) {
      return false;
    }
    List<Node> users =
        steps.stream()
            .flatMap(user -> user.inputs().stream().filter(step::equals).map(input -> user))
            .toList();
    return users.size() == 1 && users.get(0).operation() instanceof Operation.Elementwise;
  }

  private Head head(int number, Node selector) {
    Set<Node> keys = new LinkedHashSet<>();
    Set<Node> queries = new LinkedHashSet<>();
    collect(selector, keys, queries);
    String known = graph.isNamed(selector) ? ": " + graph.text(selector) : "";
    return new Head(
        "head " + number + known,
        cut(graph.definition(selector), LONGEST_DEFINITION),
        run.rows(selector),
        keys.stream().map(key -> edge("key", key)).toList(),
        queries.stream().map(query -> edge("query", query)).toList());
  }

  private static void collect(Node selector, Set<Node> keys, Set<Node> queries) {
    List<Node> inputs = selector.inputs();
    inputs.stream().filter(Node::isSelector).forEach(input -> collect(input, keys, queries));
    if (!(selector.operation() instanceof Operation.Combine)) {
      keys.add(inputs.get(inputs.size() - 2));
      queries.add(inputs.get(inputs.size() - 1));
      keys.removeIf(Diagram::isConstant);
      queries.removeIf(Diagram::isConstant);
    }
  }

  private Row edge(String role, Node step) {
    return new Row(
        role, role + " " + nameOf(step) + " (" + numbers.get(step) + ")", cells(step), "");
  }

  private Row row(Node step, List<Node> selectors) {
    Operation operation = step.operation();
    String kind =
        operation instanceof Operation.Input
            ? "in"
            : operation instanceof Operation.Aggregate ? "X" : "FF";
    return new Row(
        kind.equals("in") ? "input" : kind.toLowerCase(Locale.ROOT),
        "%s %-2s %s".formatted(numbers.get(step), kind, nameOf(step)),
        cells(step),
        kind.equals("in") ? "" : note(step, selectors));
  }

  private String note(Node step, List<Node> selectors) {
    Set<Integer> sources = sources(step);
    String from = sources.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ")"));
    if (!(step.operation() instanceof Operation.Aggregate)) {
      return "from " + from;
    }
    return "head %s, from %s"
        .formatted(
            selectors.indexOf(step.input(0)) + 1,
            sources.isEmpty() ? "the constant " + graph.text(step.input(1)) : from);
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

  private String nameOf(Node step) {
    return cut(step == target ? name : graph.text(step), LONGEST_NAME);
  }

  private List<String> cells(Node step) {
    return run.values(step).stream().map(Diagram::cell).toList();
  }

  /** A value in a cell. A long fraction has three digits. */
  private static String cell(Atom atom) {
    if (atom instanceof Atom.Fraction number && number.toString().length() > LONGEST_VALUE) {
      return new BigDecimal(number.value().getNumerator())
          .divide(new BigDecimal(number.value().getDenominator()), new MathContext(3))
          .toString();
    }
    return cut(atom.toString(), LONGEST_VALUE);
  }

  private static String cut(String text, int longest) {
    return text.codePointCount(0, text.length()) <= longest
        ? text
        : text.substring(0, text.offsetByCodePoints(0, longest - 1)) + "…";
  }
}
