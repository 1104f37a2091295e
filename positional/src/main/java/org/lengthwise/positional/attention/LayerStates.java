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
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.lengthwise.kernel.EngineMemory;

/**
 * The states of a model's linear recurrences between two passes, by block, without a graph. A pass
 * reads and writes all of them, or those of some streams.
 */
public final class LayerStates implements AutoCloseable {
  private final NDManager owner;
  private final Map<Integer, NDList> byBlock;
  private final Optional<Pass> pass;

  private LayerStates(NDManager owner, Map<Integer, NDList> byBlock, Optional<Pass> pass) {
    this.owner = owner;
    this.byBlock = byBlock;
    this.pass = pass;
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

  /**
   * {@return these states, of which a pass reads and writes those of some streams} The states that
   * it begins with are read now, so another pass may write before it begins.
   *
   * @param first the stream that 0 stands for
   * @param pass owns the states that are read
   */
  public LayerStates at(Streams streams, int first, NDManager pass) {
    int count = streams.before.length;
    long[] places = new long[count];
    float[] known = new float[count];
    for (int i = 0; i < count; i++) {
      places[i] = first + (long) Math.max(streams.before[i], 0);
      known[i] = streams.before[i] < 0 ? 0 : 1;
    }
    NDArray places_B = pass.create(places);
    NDArray known_B = pass.create(known);
    Map<Integer, NDList> before = new HashMap<>();
    byBlock.forEach((block, all) -> before.put(block, read(all, places_B, known_B)));
    int[] leaving = IntStream.range(0, count).filter(i -> streams.after[i] >= 0).toArray();
    long[] rows = Arrays.stream(leaving).asLongStream().toArray();
    long[] to = Arrays.stream(leaving).mapToLong(i -> (long) first + streams.after[i]).toArray();
    return new LayerStates(
        owner, byBlock, Optional.of(new Pass(before, pass.create(rows), pass.create(to))));
  }

  /** Copies the states at some places, times 1, or 0 for a sequence that begins with 0. */
  private static NDList read(NDList all, NDArray places_B, NDArray known_B) {
    NDList read = new NDList();
    for (NDArray states : all) {
      long[] shape = new long[states.getShape().dimension()];
      Arrays.fill(shape, 1);
      shape[0] = known_B.size();
      NDArray rows = states.get(places_B.getManager(), new NDIndex("{}", places_B));
      read.add(rows.mul(known_B.reshape(shape)));
    }
    return read;
  }

  /**
   * The streams of the sequences of a pass.
   *
   * @param before the stream whose state a sequence begins with; -1: it begins with 0
   * @param after the stream that gets the state behind a sequence; -1: none
   */
  public record Streams(int[] before, int[] after) {}

  /**
   * What a pass of some streams reads and writes.
   *
   * @param before the states of its sequences by block
   * @param rows the sequences whose states are kept
   * @param to the streams that get them
   */
  private record Pass(Map<Integer, NDList> before, NDArray rows, NDArray to) {
    void write(NDList all, NDList states) {
      for (int i = 0; i < states.size() && rows.size() > 0; i++) {
        try (NDArray state = states.get(i).stopGradient();
            NDArray kept = state.get(new NDIndex("{}", rows))) {
          all.get(i).set(new NDIndex("{}", to), kept);
        }
      }
    }
  }

  Optional<NDList> get(int block) {
    return Optional.ofNullable(pass.map(Pass::before).orElse(byBlock).get(block));
  }

  void put(int block, NDList states) {
    if (pass.isPresent()) {
      pass.get().write(Objects.requireNonNull(byBlock.get(block)), states);
    } else {
      Optional.ofNullable(byBlock.put(block, copies(states))).ifPresent(NDList::close);
    }
  }

  /** A part of a tensor keeps the memory of the whole, and a graph that of a pass. */
  private NDList copies(NDList states) {
    NDList copies = new NDList();
    for (NDArray each : states) {
      try (NDArray state = each.stopGradient()) {
        copies.add(state.duplicate());
      }
    }
    copies.attach(owner);
    return copies;
  }

  @Override
  public void close() {
    owner.close();
  }
}
