package org.lengthwise.training.interchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lengthwise.model.ModelConfig;

/** One tensor of a checkpoint, and the tensors of a family that hold its numbers. */
record StoredTensor(String name, List<Integer> shape, Order order, List<Part> parts, int heads) {
  /** The rows of OPT's table of positions that no position reads. */
  private static final int UNUSED_ROWS = 2;

  enum Order {
    ROWS,
    /** Rows [H, 3, D]: the query, the key and the value of each head together. Ours: [3, H, D]. */
    HEADS,
    /** Weights [in, out]. Ours: [out, in]. */
    TRANSPOSED,
    /** Two rows that are not used, then ours. */
    AFTER_TWO_ROWS;

    static Optional<Order> of(String word) {
      return Arrays.stream(values())
          .filter(order -> order.name().toLowerCase(Locale.ROOT).equals(word))
          .findFirst();
    }
  }

  /** A tensor of the family, and the first of our rows that it holds. */
  record Part(String name, List<Integer> shape, int from) {}

  static StoredTensor of(
      String name, List<Integer> shape, Order order, List<String> names, ModelConfig model) {
    List<Part> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < names.size(); i++) {
      int rows = rows(shape.get(0), names.size(), i, model);
      parts.add(new Part(names.get(i), axes(shape, order, rows), from));
      from += rows;
    }
    return new StoredTensor(name, shape, order, List.copyOf(parts), model.heads());
  }

  /** Three parts are queries, keys and values. */
  private static int rows(int all, int numParts, int part, ModelConfig model) {
    if (numParts < 3) {
      return all / numParts;
    }
    return part == 0 ? model.attentionWidth() : model.keyWidth();
  }

  private static List<Integer> axes(List<Integer> shape, Order order, int rows) {
    if (shape.size() == 1) {
      return List.of(rows);
    }
    int columns = shape.get(1);
    return switch (order) {
      case ROWS, HEADS -> List.of(rows, columns);
      case TRANSPOSED -> List.of(columns, rows);
      case AFTER_TWO_ROWS -> List.of(rows + UNUSED_ROWS, columns);
    };
  }

  static Map<String, List<Integer>> shapes(Collection<StoredTensor> tensors) {
    Map<String, List<Integer>> shapes = new LinkedHashMap<>();
    tensors.forEach(
        tensor -> tensor.parts().forEach(part -> shapes.put(part.name(), part.shape())));
    return shapes;
  }

  /** Adjacent rows of a part, by its name. */
  record Rows(String part, int first, int rows) {}

  /**
   * The rows of the parts in our order; all numbers of a transposed matrix, as the file has them.
   */
  List<Rows> rows() {
    Part only = parts.get(0);
    return switch (order) {
      case ROWS ->
          parts.stream().map(part -> new Rows(part.name(), 0, part.shape().get(0))).toList();
      case TRANSPOSED -> List.of(new Rows(only.name(), 0, shape.get(0)));
      case AFTER_TWO_ROWS -> List.of(new Rows(only.name(), UNUSED_ROWS, shape.get(0)));
      case HEADS -> {
        int headWidth = shape.get(0) / (3 * heads);
        yield IntStream.range(0, 3 * heads)
            .map(i -> i % heads * 3 + i / heads)
            .mapToObj(i -> new Rows(only.name(), i * headWidth, headWidth))
            .toList();
      }
    };
  }

  int columns() {
    return shape.size() == 1 ? 1 : shape.get(1);
  }

  boolean isTransposed() {
    return order == Order.TRANSPOSED && shape.size() == 2;
  }

  /** The numbers of the part with a name, row-major. */
  float[] part(String name, float[] ours) {
    Part part = parts.stream().filter(p -> p.name().equals(name)).findFirst().orElseThrow();
    if (isTransposed()) {
      return transposed(ours, shape.get(0), shape.get(1));
    }
    float[] theirs = new float[part.shape().stream().reduce(1, Math::multiplyExact)];
    int columns = columns();
    for (int row = 0; row < part.shape().get(0); row++) {
      int own = ownRow(part, row);
      if (own >= 0) {
        System.arraycopy(ours, own * columns, theirs, row * columns, columns);
      }
    }
    return theirs;
  }

  /** A matrix [columns, rows] of a matrix [rows, columns]. */
  static float[] transposed(float[] from, int rows, int columns) {
    float[] to = new float[from.length];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        to[column * rows + row] = from[row * columns + column];
      }
    }
    return to;
  }

  /** The row of ours that a row of a part holds; negative if it holds none. */
  private int ownRow(Part part, int row) {
    if (order == Order.AFTER_TWO_ROWS) {
      return row - UNUSED_ROWS;
    }
    if (order == Order.HEADS) {
      int headWidth = shape.get(0) / (3 * heads);
      int head = row / (3 * headWidth);
      int kind = row / headWidth % 3; // query, key or value
      return (kind * heads + head) * headWidth + row % headWidth;
    }
    return part.from() + row;
  }
}
