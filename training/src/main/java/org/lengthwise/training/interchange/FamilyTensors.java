package org.lengthwise.training.interchange;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Map;
import org.lengthwise.training.safetensors.FileNumbers;
import org.lengthwise.training.safetensors.FloatFormat;
import org.lengthwise.training.safetensors.StoredNumbers;
import org.lengthwise.training.safetensors.Tensors;

/**
 * The files of a family's model, read as the tensors of a checkpoint.
 *
 * @param files the open files, which these tensors close
 * @param tensors where the family has each tensor, by our name
 */
record FamilyTensors(TensorFiles files, Map<String, StoredTensor> tensors) implements Tensors {

  Map<String, String> metadata() {
    return files.metadata();
  }

  @Override
  public StoredNumbers numbers(String name) throws IOException {
    StoredTensor tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("no tensor " + name);
    }
    FileNumbers numbers =
        new FileNumbers(
            tensor.rows().stream().map(rows -> files.part(rows, tensor.columns())).toList(), true);
    return tensor.isTransposed() ? Transposed.of(numbers, tensor) : numbers;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  /** A matrix that the file stores with its axes in the other order. */
  private record Transposed(FloatFormat format, FloatBuffer rest, int size)
      implements StoredNumbers {

    static Transposed of(StoredNumbers stored, StoredTensor tensor) throws IOException {
      float[] numbers = stored.floats().array();
      int columns = tensor.shape().get(0);
      float[] ours = StoredTensor.transposed(numbers, numbers.length / columns, columns);
      return new Transposed(stored.format(), FloatBuffer.wrap(ours), ours.length);
    }

    @Override
    public void next(FloatBuffer target) {
      while (target.hasRemaining()) {
        target.put(rest.get());
      }
    }
  }
}
