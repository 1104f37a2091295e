package org.lengthwise.training.checkpoint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lengthwise.training.safetensors.SafetensorsFile;

/** A file's tensors in memory. */
final class TensorFile {
  private TensorFile() {}

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
