package org.lengthwise.rasp;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The size of the transformer that computes an s-op, with each step in its earliest layer.
 *
 * @param heads the number of different selectors that aggregates of a layer use, from layer 1
 */
public record Sizes(List<Integer> heads) {
  static Sizes of(Node sOp) {
    return new Sizes(
        IntStream.rangeClosed(1, sOp.layer())
            .map(layer -> heads(sOp, layer).size())
            .boxed()
            .toList());
  }

  /** The different selectors that aggregates of a layer use. */
  static List<Node> heads(Node sOp, int layer) {
    return sOp.ancestry().stream()
        .filter(node -> node.operation() instanceof Operation.Aggregate && node.layer() == layer)
        .map(node -> node.inputs().get(0))
        .distinct()
        .toList();
  }

  /**
   * The number of layers.
   *
   * @return L, 0 if no step aggregates
   */
  public int layers() {
    return heads.size();
  }
}
