package org.lengthwise.training.checkpoint;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lengthwise.training.safetensors.SafetensorsFile;
import org.lengthwise.training.safetensors.SafetensorsWriter;

/** The engine's tensors in a file, and a file's tensors in memory. */
final class TensorFile {
  private TensorFile() {}

  static void write(Path file, Map<String, NDArray> tensors) throws IOException {
    Map<String, List<Integer>> shapes = new LinkedHashMap<>();
    tensors.forEach((name, tensor) -> shapes.put(name, axes(tensor.getShape())));
    SafetensorsWriter.write(
        file, Map.of(), shapes, name -> Objects.requireNonNull(tensors.get(name)).toFloatArray());
  }

  private static List<Integer> axes(Shape shape) {
    return Arrays.stream(shape.getShape()).mapToObj(Math::toIntExact).toList();
  }

  /** Reads all tensors' numbers, row-major, by name. */
  static Map<String, float[]> read(Path file) throws IOException {
    try (SafetensorsFile tensors = SafetensorsFile.open(file)) {
      Map<String, float[]> values = new LinkedHashMap<>();
      for (String name : tensors.tensors().keySet()) {
        values.put(name, tensors.floats(name));
      }
      return values;
    }
  }
}
