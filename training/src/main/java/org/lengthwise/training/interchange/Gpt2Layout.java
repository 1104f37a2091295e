package org.lengthwise.training.interchange;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;

/** The differences between the tensors of Hugging Face's GPT-2 and those of a checkpoint. */
final class Gpt2Layout {
  static final String EMBEDDING = "transformer.wte.weight";

  /** The output projection. Our models tie it to the embedding. */
  static final String HEAD = "lm_head.weight";

  private static final String PREFIX = "transformer.";

  /** The weights that this layout stores as [in, out]. */
  private static final Pattern TRANSPOSED = Pattern.compile(".*\\.(c_attn|c_proj|c_fc)\\.weight");

  /** Causal masks and their fill value, which old files store with the weights. */
  private static final Pattern BUFFER =
      Pattern.compile("transformer\\.h\\.\\d+\\.attn\\.(bias|masked_bias)");

  private Gpt2Layout() {}

  /** The checkpoint's name of a stored tensor. The stored name may lack the prefix. */
  static String name(String stored) {
    return stored.startsWith(PREFIX) || stored.equals(HEAD) ? stored : PREFIX + stored;
  }

  static boolean isBuffer(String name) {
    return BUFFER.matcher(name).matches();
  }

  /** Each tensor's axes in a file. */
  static Map<String, List<Integer>> shapes(ModelConfig model) {
    Map<String, List<Integer>> shapes = new LinkedHashMap<>(ParameterLayout.shapes(model));
    shapes.replaceAll(
        (name, shape) -> isTransposed(name) ? List.of(shape.get(1), shape.get(0)) : shape);
    return shapes;
  }

  private static boolean isTransposed(String name) {
    return TRANSPOSED.matcher(name).matches();
  }

  /**
   * A tensor in the other layout: transposed where the layouts differ, else the same.
   *
   * @param name its name
   * @param shape its axes in the layout that it has
   * @param values its numbers, row-major
   */
  static float[] transposed(String name, List<Integer> shape, float[] values) {
    if (!isTransposed(name)) {
      return values;
    }
    int rows = shape.get(0);
    int columns = shape.get(1);
    float[] result = new float[values.length];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        result[column * rows + row] = values[row * columns + column];
      }
    }
    return result;
  }
}
