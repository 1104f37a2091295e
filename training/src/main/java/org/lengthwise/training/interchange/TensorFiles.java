package org.lengthwise.training.interchange;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.training.safetensors.SafetensorsFile;

/** The tensors of a model in one or more files. */
final class TensorFiles implements AutoCloseable {
  private record StoredTensor(SafetensorsFile file, String stored) {}

  private final List<SafetensorsFile> files = new ArrayList<>();
  private final Map<String, StoredTensor> tensors = new LinkedHashMap<>();

  private TensorFiles() {}

  /**
   * Opens files.
   *
   * @param naming maps a stored name to the checkpoint's name
   * @throws DataFormatException if a tensor occurs twice
   */
  static TensorFiles open(List<Path> paths, UnaryOperator<String> naming) throws IOException {
    TensorFiles all = new TensorFiles();
    boolean complete = false;
    try {
      for (Path path : paths) {
        SafetensorsFile file = SafetensorsFile.open(path);
        all.files.add(file);
        all.add(file, naming);
      }
      complete = true;
      return all;
    } finally {
      if (!complete) {
        all.close();
      }
    }
  }

  private void add(SafetensorsFile file, UnaryOperator<String> naming) {
    for (String stored : file.tensors().keySet()) {
      StoredTensor earlier = tensors.put(naming.apply(stored), new StoredTensor(file, stored));
      if (earlier != null) {
        throw new DataFormatException(
            file.path().toString(),
            "each tensor once",
            "%s, which is also in %s".formatted(stored, earlier.file().path()),
            "name the files of one checkpoint only");
      }
    }
  }

  Map<String, String> metadata() {
    return files.get(0).metadata();
  }

  boolean has(String name) {
    return tensors.containsKey(name);
  }

  /**
   * Requires a tensor with certain axes.
   *
   * @throws DataFormatException if it is missing or has other axes
   */
  void require(String name, List<Integer> shape) {
    StoredTensor tensor = tensors.get(name);
    SafetensorsFile.Entry entry =
        tensor == null ? null : tensor.file().tensors().get(tensor.stored());
    if (tensor == null || entry == null || !entry.shape().equals(shape)) {
      throw new DataFormatException(
          (tensor == null ? files.get(0) : tensor.file()).path().toString(),
          "a tensor %s of %s".formatted(name, shape),
          entry == null ? "none" : entry.shape().toString(),
          "use a complete checkpoint with its own config.json");
    }
  }

  /**
   * Requires that all tensors are known.
   *
   * @throws DataFormatException if one is not
   */
  void requireOnly(Predicate<String> known) {
    tensors.forEach(
        (name, tensor) -> {
          if (!known.test(name)) {
            throw new DataFormatException(
                tensor.file().path().toString(),
                "only the tensors of the model",
                tensor.stored(),
                "use a checkpoint without additional tensors");
          }
        });
  }

  float[] floats(String name) throws IOException {
    StoredTensor tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("no tensor " + name);
    }
    return tensor.file().floats(tensor.stored());
  }

  @Override
  public void close() throws IOException {
    for (SafetensorsFile file : files) {
      file.close();
    }
  }
}
