package org.lengthwise.training.loop;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Map;
import java.util.function.Function;
import org.lengthwise.training.safetensors.FloatFormat;
import org.lengthwise.training.safetensors.StoredNumbers;
import org.lengthwise.training.safetensors.Tensors;

/**
 * The tensors of a checkpoint under other names, and new ones.
 *
 * @param taken the tensor of the source by the name of each tensor that takes its numbers
 * @param others gives the numbers of all other tensors by name
 */
record Inherited(Tensors source, Map<String, String> taken, Function<String, float[]> others)
    implements Tensors {

  @Override
  public StoredNumbers numbers(String name) throws IOException {
    String from = taken.get(name);
    if (from != null) {
      return new Wide(source.numbers(from));
    }
    float[] numbers = others.apply(name);
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
