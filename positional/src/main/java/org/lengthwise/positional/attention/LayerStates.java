package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.lengthwise.kernel.EngineMemory;

/**
 * The states of a model's linear recurrences between two passes, by block, without a graph. A pass
 * reads and writes all of them, or those of some streams.
 */
public final class LayerStates implements AutoCloseable {
  private final NDManager owner;
  private final Map<Integer, NDList> byBlock;
  private final Optional<Rows> rows;

  private LayerStates(NDManager owner, Map<Integer, NDList> byBlock, Optional<Rows> rows) {
    this.owner = owner;
    this.byBlock = byBlock;
    this.rows = rows;
  }

  /** States of 0, whose tensors a child of the manager will own. */
  public LayerStates(NDManager manager) {
    this(manager.newSubManager(), new HashMap<>(), Optional.empty());
  }

  /**
   * States of some streams, float32.
   *
   * @param shapes the shapes of the states of one stream by block
   * @param initial the numbers of the states of all streams, by {@linkplain #tensors name} and size
   */
  public static LayerStates of(
      NDManager manager,
      int numStreams,
      Map<Integer, List<long[]>> shapes,
      BiFunction<String, Integer, float[]> initial) {
    LayerStates all = new LayerStates(manager);
    shapes.forEach(
        (block, ofOne) -> {
          NDList states = new NDList();
          for (long[] one : ofOne) {
            Shape shape = new Shape(numStreams).addAll(new Shape(one));
            String name = name(block, states.size());
            float[] numbers = initial.apply(name, Math.toIntExact(shape.size()));
            states.add(EngineMemory.tensor(all.owner, numbers, shape));
          }
          all.byBlock.put(block, states);
        });
    return all;
  }

  private static String name(int block, int place) {
    return "transformer.h.%s.attn.state.%s".formatted(block, place);
  }

  /** {@return the states of all streams by name, until the next pass} */
  public Map<String, NDArray> tensors() {
    Map<String, NDArray> all = new TreeMap<>();
    byBlock.forEach(
        (block, states) -> {
          for (int i = 0; i < states.size(); i++) {
            all.put(name(block, i), states.get(i));
          }
        });
    return all;
  }

  /** {@return these states, of which a pass reads and writes those of some streams} */
  public LayerStates at(Rows streams) {
    return new LayerStates(owner, byBlock, Optional.of(streams));
  }

  /**
   * The streams of the sequences of a pass.
   *
   * @param before the stream whose state a sequence begins with; -1: it begins with 0
   * @param after the stream that gets the state behind a sequence; -1: none
   */
  public record Rows(int[] before, int[] after) {
    /** {@return the same streams, of which the first one has another number} */
    public Rows from(int first) {
      return new Rows(from(first, before), from(first, after));
    }

    private static int[] from(int first, int[] streams) {
      return Arrays.stream(streams).map(stream -> stream < 0 ? -1 : first + stream).toArray();
    }

    private NDArray read(NDArray states, NDManager pass) {
      long[] places = Arrays.stream(before).mapToLong(stream -> Math.max(0, stream)).toArray();
      NDArray read = states.get(pass, new NDIndex("{}", pass.create(places)));
      if (Arrays.stream(before).allMatch(stream -> stream >= 0)) {
        return read;
      }
      float[] kept = new float[before.length];
      for (int i = 0; i < kept.length; i++) {
        kept[i] = before[i] < 0 ? 0 : 1;
      }
      long[] shape = new long[read.getShape().dimension()];
      Arrays.fill(shape, 1);
      shape[0] = kept.length;
      try (read) {
        return read.mul(EngineMemory.tensor(pass, kept, new Shape(shape)));
      }
    }

    private NDArray written(NDArray states, NDArray behind) {
      long[] places = LongStream.range(0, states.getShape().get(0)).toArray();
      for (int i = 0; i < after.length; i++) {
        if (after[i] >= 0) {
          places[after[i]] = places.length + (long) i;
        }
      }
      try (NDArray all = states.concat(behind);
          NDArray chosen = states.getManager().create(places)) {
        return all.get(chosen);
      }
    }
  }

  Optional<NDList> get(int block, NDManager pass) {
    Optional<NDList> all = Optional.ofNullable(byBlock.get(block));
    if (rows.isEmpty() || all.isEmpty()) {
      return all;
    }
    NDList read = new NDList();
    all.get().forEach(states -> read.add(rows.get().read(states, pass)));
    return Optional.of(read);
  }

  /**
   * Copies, because a part of a tensor keeps the memory of the whole, and a graph that of a pass.
   */
  void put(int block, NDList states) {
    NDList before = byBlock.get(block);
    NDList copies = new NDList();
    for (int i = 0; i < states.size(); i++) {
      try (NDArray state = states.get(i).stopGradient()) {
        copies.add(
            rows.isPresent() && before != null
                ? rows.get().written(before.get(i), state)
                : state.duplicate());
      }
    }
    copies.attach(owner);
    Optional.ofNullable(byBlock.put(block, copies)).ifPresent(NDList::close);
  }

  @Override
  public void close() {
    owner.close();
  }
}
