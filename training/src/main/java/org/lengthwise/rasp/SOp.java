package org.lengthwise.rasp;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.lengthwise.error.ConfigException;

/**
 * A sequence operator of a program: it maps an input to as many values. An input has at least one
 * token, a character each.
 */
public final class SOp {
  private final String name;
  private final Node node;
  private final Graph graph;
  private final List<Node> steps;

  SOp(String name, Node node, Graph graph) {
    this.name = name;
    this.node = node;
    this.graph = graph;
    this.steps = node.ancestry();
  }

  /**
   * {@return the number of heads of each layer of the transformer that computes it, with each step
   * in its earliest layer; empty if no step aggregates}
   */
  public List<Integer> heads() {
    return IntStream.rangeClosed(1, node.layer())
        .mapToObj(layer -> node.heads(layer).size())
        .toList();
  }

  /**
   * {@return the value of each position when the s-op runs, as JSON has it: a whole number, a truth
   * value, a text, or a fraction as a text such as {@code 3/2}}
   */
  public List<Object> run(String input) {
    return atoms(input).stream().map(Atom::json).toList();
  }

  /**
   * {@return the value of each position when the s-op runs, as a text, such as {@code 3/2}, and T
   * and F for truth values}
   */
  public List<String> texts(String input) {
    return atoms(input).stream().map(Atom::toString).toList();
  }

  List<Atom> atoms(String input) {
    return new Run(tokens(input), steps).values(node);
  }

  /**
   * A head of the transformer that computes an s-op.
   *
   * @param layer its layer, from 0
   * @param index its number in the layer, from 0
   * @param rows the positions that each position selects
   */
  public record Head(int layer, int index, List<BitSet> rows) {}

  /** {@return what each head selects on an input, by layer} */
  public List<Head> selected(String input) {
    Run run = new Run(tokens(input), steps);
    List<Head> heads = new ArrayList<>();
    for (int layer = 0; layer < node.layer(); layer++) {
      List<Node> selectors = node.heads(layer + 1);
      for (int i = 0; i < selectors.size(); i++) {
        heads.add(new Head(layer, i, run.rows(selectors.get(i))));
      }
    }
    return heads;
  }

  /** {@return an SVG file with what each head selects and each layer yields} */
  public String draw(String input) {
    List<Atom> tokens = tokens(input);
    try {
      return Drawing.of(new Diagram(name, node, graph, tokens), tokens.size());
    } catch (StackOverflowError e) {
      throw new ConfigException(
          "the s-op " + name, "fewer steps in each other", "too many to draw", "divide the s-op");
    }
  }

  private static List<Atom> tokens(String input) {
    if (input.isEmpty()) {
      throw new ConfigException(
          "the input", "at least one character", "an empty text", "give a longer text");
    }
    return new Atom.Text(input).characters();
  }
}
