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
import org.lengthwise.training.optimizer.AdamW;

/**
 * A copy of a model's weights and moments outside the engine's memory. A thread writes it to disk
 * while training continues.
 *
 * <p>Invariants: only {@link #take()} reads the engine's tensors. The memory is allocated once,
 * outside Java's heap, and reused, so a copy must be written before the next one is taken.
 */
public final class Snapshot implements AutoCloseable {
  private final Map<String, NDArray> sources = new LinkedHashMap<>();
  private final Map<String, List<Integer>> weights;
  private final Map<String, List<Integer>> moments;
  private final BufferAllocator allocator = new RootAllocator();
  private final ArrowBuf memory;
  private final Map<String, FloatBuffer> copies = new LinkedHashMap<>();

  /** Allocates the memory. It holds no copy yet. */
  public Snapshot(Weights weights, AdamW optimizer) {
    this.weights = shapes(weights.tensors());
    this.moments = shapes(optimizer.moments());
    sources.putAll(weights.tensors());
    sources.putAll(optimizer.moments());
    memory = allocator.buffer(sources.values().stream().mapToLong(Snapshot::numBytes).sum());
    long from = 0;
    for (Map.Entry<String, NDArray> source : sources.entrySet()) {
      int length = Math.toIntExact(numBytes(source.getValue()));
      copies.put(
          source.getKey(),
          memory.nioBuffer(from, length).order(ByteOrder.nativeOrder()).asFloatBuffer());
      from += length;
    }
  }

  private static Map<String, List<Integer>> shapes(Map<String, NDArray> tensors) {
    Map<String, List<Integer>> shapes = new LinkedHashMap<>();
    tensors.forEach(
        (name, tensor) ->
            shapes.put(
                name,
                Arrays.stream(tensor.getShape().getShape()).mapToObj(Math::toIntExact).toList()));
    return Collections.unmodifiableMap(shapes);
  }

  private static long numBytes(NDArray tensor) {
    return tensor.size() * Float.BYTES;
  }

  /** Overwrites the previous copy. Returns when the new copy is complete. */
  public void take() {
    sources.forEach((name, tensor) -> copy(tensor, Objects.requireNonNull(copies.get(name))));
  }

  private static void copy(NDArray tensor, FloatBuffer copy) {
    NDArray here = tensor.toDevice(Device.cpu(), false);
    try {
      FloatBuffer numbers =
          here.toByteBuffer(true)
              .order(ByteOrder.nativeOrder())
              .asFloatBuffer(); // a view, not a copy
      copy.put(0, numbers, 0, copy.capacity());
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

  FloatBuffer numbers(String name) {
    return Objects.requireNonNull(copies.get(name)).asReadOnlyBuffer();
  }

  @Override
  public void close() {
    memory.close();
    allocator.close();
  }
}
