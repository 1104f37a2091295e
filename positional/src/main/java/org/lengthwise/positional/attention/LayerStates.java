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
import java.util.stream.LongStream;
import org.lengthwise.kernel.EngineMemory;

/**
 * The states of a model's linear recurrences between two passes, by block, without a graph. A pass
 * reads and writes all of them, or those of some streams.
 */
public final class LayerStates implements AutoCloseable {
  private final NDManager owner;
  private final Map<Integer, NDList> byBlock;
  private final Optional<Places> places;

  private LayerStates(NDManager owner, Map<Integer, NDList> byBlock, Optional<Places> places) {
    this.owner = owner;
    this.byBlock = byBlock;
    this.places = places;
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
   * {@return these states, of which a pass reads and writes those of some streams}
   *
   * @param first the stream that 0 stands for
   * @param pass owns which ones they are, copied to the device once
   */
  public LayerStates at(Rows streams, int first, NDManager pass) {
    int number = Math.toIntExact(byBlock.values().iterator().next().get(0).getShape().get(0));
    long[] before =
        Arrays.stream(streams.before).mapToLong(i -> i < 0 ? number : first + i).toArray();
    long[] after = LongStream.range(0, number).toArray();
    for (int i = 0; i < streams.after.length; i++) {
      if (streams.after[i] >= 0) {
        after[first + streams.after[i]] = number + (long) i;
      }
    }
    return new LayerStates(
        owner, byBlock, Optional.of(new Places(pass.create(before), pass.create(after))));
  }

  /**
   * The streams of the sequences of a pass.
   *
   * @param before the stream whose state a sequence begins with; -1: it begins with 0
   * @param after the stream that gets the state behind a sequence; -1: none
   */
  public record Rows(int[] before, int[] after) {}

  /** Places among the streams' states, with a 0 or with those of a pass behind them. */
  private record Places(NDArray before, NDArray after) {}

  Optional<NDList> get(int block, NDManager pass) {
    Optional<NDList> all = Optional.ofNullable(byBlock.get(block));
    if (places.isEmpty() || all.isEmpty()) {
      return all;
    }
    NDList read = new NDList();
    for (NDArray states : all.get()) {
      NDArray zero = pass.zeros(new Shape(1).addAll(states.getShape().slice(1)));
      try (NDArray more = states.concat(zero)) {
        read.add(more.get(pass, new NDIndex("{}", places.get().before())));
      }
    }
    return Optional.of(read);
  }

  /**
   * Copies, because a part of a tensor keeps the memory of the whole, and a graph that of a pass.
   */
  void put(int block, NDList states) {
    NDList copies = new NDList();
    for (int i = 0; i < states.size(); i++) {
      try (NDArray state = states.get(i).stopGradient()) {
        copies.add(places.isEmpty() ? state.duplicate() : written(block, i, state));
      }
    }
    copies.attach(owner);
    Optional.ofNullable(byBlock.put(block, copies)).ifPresent(NDList::close);
  }

  private NDArray written(int block, int place, NDArray state) {
    try (NDArray all = Objects.requireNonNull(byBlock.get(block)).get(place).concat(state)) {
      return all.get(places.orElseThrow().after());
    }
  }

  @Override
  public void close() {
    owner.close();
  }
}
