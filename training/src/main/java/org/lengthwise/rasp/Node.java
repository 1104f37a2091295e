package org.lengthwise.rasp;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A step of a program: an s-op or a selector. {@link Graph} makes one node for equal steps. */
final class Node implements Value {
  private final int id;
  private final Place place;
  private final Operation operation;
  private final List<Node> inputs;
  private final int layer;

  /**
   * A step.
   *
   * @param id larger than the ids of the inputs
   * @param place the place of the first mention
   */
  Node(int id, Place place, Operation operation, List<Node> inputs) {
    this.id = id;
    this.place = place;
    this.operation = operation;
    this.inputs = inputs;
    int before = inputs.stream().mapToInt(Node::layer).max().orElse(0);
    this.layer = operation instanceof Operation.Aggregate ? before + 1 : before;
  }

  Place place() {
    return place;
  }

  Operation operation() {
    return operation;
  }

  List<Node> inputs() {
    return inputs;
  }

  Node input(int index) {
    return inputs.get(index);
  }

  /**
   * The earliest layer that can compute the step. Layer 0 is the embedding; an aggregate is one
   * layer after its selector and its values.
   */
  int layer() {
    return layer;
  }

  boolean isSelector() {
    return operation.isSelector();
  }

  /** This node and all that it depends on, inputs first. */
  List<Node> ancestry() {
    Set<Node> found = new LinkedHashSet<>();
    Deque<Node> open = new ArrayDeque<>(List.of(this));
    while (!open.isEmpty()) {
      Node node = open.pop();
      if (found.add(node)) {
        open.addAll(node.inputs);
      }
    }
    return found.stream().sorted(Comparator.comparingInt(node -> node.id)).toList();
  }

  /** The heads of a layer: the different selectors of its aggregates, as far as this needs. */
  List<Node> heads(int ofLayer) {
    return ancestry().stream()
        .filter(step -> step.operation instanceof Operation.Aggregate && step.layer == ofLayer)
        .map(aggregate -> aggregate.input(0))
        .distinct()
        .toList();
  }

  @Override
  public String kind() {
    return isSelector() ? "a selector" : "an s-op";
  }
}
