package org.lengthwise.training.checkpoint;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.attention.LayerStates;
import org.lengthwise.training.optimizer.AdamW;

/**
 * A copy of a model's weights, moments and states of streams outside the engine's memory. A thread
 * writes it to disk while training continues.
 *
 * <p>Invariants: only {@link #take()} reads the engine's tensors. The memory is allocated once,
 * outside Java's heap, and reused, so a copy must be written before the next one is taken.
 */
public final class Snapshot implements AutoCloseable {
  private final Map<String, NDArray> sources = new LinkedHashMap<>();
  private final Map<String, List<Integer>> weights;
  private final Map<String, List<Integer>> moments;
  private final Map<String, List<Integer>> states;
  private final List<LayerStates> streams;
  private final BufferAllocator allocator = new RootAllocator();
  private final ArrowBuf memory;
  private final Map<String, FloatBuffer> copies = new LinkedHashMap<>();

  /** Memory for a run whose model carries no states. */
  public Snapshot(Weights weights, AdamW optimizer) {
    this(weights, optimizer, List.of());
  }

  /**
   * Allocates the memory. It holds no copy yet.
   *
   * @param streams the states of each replica's streams, which are stored one after another
   */
  public Snapshot(Weights weights, AdamW optimizer, List<LayerStates> streams) {
    this.streams = List.copyOf(streams);
    this.weights = shapes(weights.tensors(), 1);
    this.moments = shapes(optimizer.moments(), 1);
    sources.putAll(weights.tensors());
    sources.putAll(optimizer.moments());
    this.states = streams.isEmpty() ? Map.of() : shapes(streams.get(0).tensors(), streams.size());
    Map<String, List<Integer>> all = new LinkedHashMap<>(this.weights);
    all.putAll(moments);
    all.putAll(states);
    memory = allocator.buffer(all.values().stream().mapToLong(Snapshot::numBytes).sum());
    long from = 0;
    for (Map.Entry<String, List<Integer>> tensor : all.entrySet()) {
      int length = Math.toIntExact(numBytes(tensor.getValue()));
      copies.put(
          tensor.getKey(),
          memory.nioBuffer(from, length).order(ByteOrder.nativeOrder()).asFloatBuffer());
      from += length;
    }
  }

  /**
   * The shapes by name, where a number of tensors of each name are joined along their first axis.
   */
  private static Map<String, List<Integer>> shapes(Map<String, NDArray> tensors, int number) {
    Map<String, List<Integer>> shapes = new LinkedHashMap<>();
    tensors.forEach(
        (name, tensor) -> {
          long[] shape = tensor.getShape().getShape().clone();
          if (number > 1) {
            shape[0] *= number;
          }
          shapes.put(name, Arrays.stream(shape).mapToObj(Math::toIntExact).toList());
        });
    return Collections.unmodifiableMap(shapes);
  }

  private static long numBytes(List<Integer> shape) {
    return shape.stream().mapToLong(axis -> axis).reduce(Float.BYTES, Math::multiplyExact);
  }

  /** Overwrites the previous copy. Returns when the new copy is complete. */
  public void take() {
    sources.forEach((name, tensor) -> copy(name, tensor, 0));
    for (int i = 0; i < streams.size(); i++) {
      int place = i;
      streams.get(i).tensors().forEach((name, tensor) -> copy(name, tensor, place));
    }
  }

  /** Copies a tensor to its place among the joined tensors of its name, counted from 0. */
  private void copy(String name, NDArray tensor, int place) {
    FloatBuffer copy = Objects.requireNonNull(copies.get(name));
    NDArray here = tensor.toDevice(Device.cpu(), false);
    try {
      FloatBuffer numbers =
          here.toByteBuffer(true)
              .order(ByteOrder.nativeOrder())
              .asFloatBuffer(); // a view, not a copy
      int size = Math.toIntExact(tensor.size());
      copy.put(place * size, numbers, 0, size);
    } finally {
      if (here != tensor) {
        here.close();
      }
    }
  }

  Map<String, List<Integer>> weights() {
    return weights;
  }

  Map<String, List<Integer>> moments() {
    return moments;
  }

  Map<String, List<Integer>> states() {
    return states;
  }

  FloatBuffer numbers(String name) {
    return Objects.requireNonNull(copies.get(name)).asReadOnlyBuffer();
  }

  @Override
  public void close() {
    memory.close();
    allocator.close();
  }
}
