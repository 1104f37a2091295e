package org.lengthwise.training.loop;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.lengthwise.training.safetensors.FloatFormat;
import org.lengthwise.training.safetensors.StoredNumbers;
import org.lengthwise.training.safetensors.Tensors;

/**
 * The tensors of a checkpoint under other names, and new ones.
 *
 * @param taken the tensor of the source by the name of each tensor that takes its numbers
 * @param longer the tensors among them that have further numbers behind those
 * @param others gives the numbers of all other tensors by name, and of the longer ones
 */
record Inherited(
    Tensors source, Map<String, String> taken, Set<String> longer, Function<String, float[]> others)
    implements Tensors {

  @Override
  public StoredNumbers numbers(String name) throws IOException {
    String from = taken.get(name);
    if (from != null && !longer.contains(name)) {
      return new Wide(source.numbers(from));
    }
    float[] numbers = others.apply(name);
    if (from != null) {
      StoredNumbers stored = source.numbers(from);
      stored.next(FloatBuffer.wrap(numbers, 0, stored.size()));
    }
    return new Given(numbers.length, FloatBuffer.wrap(numbers));
  }

  @Override
  public void close() throws IOException {
    source.close();
  }

  /** Numbers that are read in float32, so that the engine's tensors of them can have gradients. */
  private record Wide(StoredNumbers stored) implements StoredNumbers {
    @Override
    public FloatFormat format() {
      return FloatFormat.F32;
    }

    @Override
    public int size() {
      return stored.size();
    }

    @Override
    public void next(FloatBuffer target) throws IOException {
      stored.next(target);
    }
  }

  /** Numbers in memory. */
  private record Given(int size, FloatBuffer rest) implements StoredNumbers {
    @Override
    public FloatFormat format() {
      return FloatFormat.F32;
    }

    @Override
    public void next(FloatBuffer target) {
      while (target.hasRemaining()) {
        target.put(rest.get());
      }
    }
  }
}
