package org.lengthwise.rasp;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The steps of a program, each once, and their names. */
final class Graph {
  private static final int DEEPEST_TEXT = 4;

  private record Key(Operation operation, List<Node> inputs) {}

  private record Name(String text, int depth) {}

  private final Map<Key, Node> nodes = new HashMap<>();
  private final Map<Node, Name> names = new HashMap<>();

  /** The node of a step. Its place is that of the first equal step. */
  Node node(Place place, Operation operation, Node... inputs) {
    int id = nodes.size();
    return nodes.computeIfAbsent(
        new Key(operation, List.of(inputs)), key -> new Node(id, place, operation, key.inputs()));
  }

  /** The s-op of a value where one is expected. A constant has its value at each position. */
  Node sOp(Place place, Value value) {
    if (value instanceof Node node && !node.isSelector()) {
      return node;
    }
    if (value instanceof Atom atom) {
      return node(place, new Operation.Constant(atom));
    }
    throw place.error("an s-op or a constant", value.kind(), "use a value of each position");
  }

  /** Like {@link #sOp}. A list of constants is an s-op, too, with one of them at each position. */
  Node sequence(Place place, Value value) {
    return value instanceof Value.Items items && items.areAtoms()
        ? node(place, new Operation.Lookup(items), node(place, Operation.Input.INDICES))
        : sOp(place, value);
  }

  /** The result of an operation: a constant if all operands are constants, else an s-op. */
  Value elementwise(Place place, Operation.Elementwise operation, Value... operands) {
    List<Value> values = List.of(operands);
    return values.stream().allMatch(Atom.class::isInstance)
        ? operation.apply(place, values.stream().map(Atom.class::cast).toList())
        : node(place, operation, values.stream().map(v -> sOp(place, v)).toArray(Node[]::new));
  }

  Node selector(Place place, Value value) {
    if (value instanceof Node node && node.isSelector()) {
      return node;
    }
    throw place.error("a selector", value.kind(), "make one with select(keys, queries, ==)");
  }

  /**
   * Names a step.
   *
   * @param depth how deep in functions the name is; the outermost name is shown
   */
  void name(Node node, String name, int depth) {
    if (!(node.operation() instanceof Operation.Input)) {
      names.merge(node, new Name(name, depth), (a, b) -> b.depth() < a.depth() ? b : a);
    }
  }

  boolean isNamed(Node node) {
    return names.containsKey(node);
  }

  /** The name of a step, or its source text in which named steps have their names. */
  String text(Node node) {
    Name name = names.get(node);
    return name != null ? name.text() : definition(node);
  }

  String definition(Node node) {
    return Operation.bare(definition(node, DEEPEST_TEXT));
  }

  private String definition(Node node, int depth) {
    return node.operation()
        .text(
            node.inputs().stream()
                .map(
                    input ->
                        isNamed(input)
                            ? text(input)
                            : depth == 0 ? "..." : definition(input, depth - 1))
                .toList());
  }
}
