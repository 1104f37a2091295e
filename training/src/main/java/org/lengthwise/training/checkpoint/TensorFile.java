package org.lengthwise.training.checkpoint;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lengthwise.dataprep.DataFormatException;

/**
 * Named float32 tensors in a safetensors file.
 *
 * <p>Implementation note: the engine reads a dotted name on a tensor as "part of a dictionary
 * argument", so tensors bear their names only while they are written.
 */
final class TensorFile {
  private TensorFile() {}

  static void write(Path file, Map<String, NDArray> tensors) throws IOException {
    NDList list = new NDList(tensors.size());
    tensors.forEach(
        (name, tensor) -> {
          tensor.setName(name);
          list.add(tensor);
        });
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      list.encode(out, NDList.Encoding.SAFETENSORS);
    } finally {
      list.forEach(tensor -> tensor.setName(null));
    }
  }

  /** Reads all tensors' numbers, row-major, by name. */
  static Map<String, float[]> read(Path file) throws IOException {
    try (NDManager manager = NDManager.newBaseManager(ai.djl.Device.cpu(), "PyTorch");
        InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 20)) {
      Map<String, float[]> values = new LinkedHashMap<>();
      for (NDArray tensor : NDList.decode(manager, in)) {
        values.put(tensor.getName(), tensor.toFloatArray());
      }
      return values;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new DataFormatException(
          file.toString(),
          "float32 tensors in safetensors format",
          String.valueOf(e.getMessage()),
          "use another checkpoint of this run",
          e);
    }
  }
}
