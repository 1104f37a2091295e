package org.lengthwise.training.interchange;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.model.ReferenceDecoder;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.safetensors.Tensors;

/** The NLLs in nats of a text under a checkpoint. */
final class Scores {
  private Scores() {}

  /** One pass of the fast decoder over some tokens; the targets follow the first ones. */
  static double[] fast(Checkpoint checkpoint, int[] tokens, int[] targets) throws IOException {
    long[] ids = Arrays.stream(tokens).asLongStream().toArray();
    long[] next = Arrays.stream(targets).asLongStream().toArray();
    try (NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        Weights weights = checkpoint.weights(Device.cpu());
        LanguageModel decoder =
            LanguageModel.of(checkpoint.origin().model(), weights, Precision.FLOAT32)) {
      NDArray tokens_BT = manager.create(ids, new Shape(1, ids.length));
      NDArray x_Td = decoder.hidden(decoder.embed(tokens_BT)).squeeze(0);
      NDArray scored_Td = x_Td.get("0:" + next.length);
      float[] nlls = decoder.nll(scored_Td, manager.create(next)).toFloatArray();
      double[] values = new double[nlls.length];
      Arrays.setAll(values, i -> nlls[i]);
      return values;
    }
  }

  /** One pass of the reference over all tokens, under a shape that may differ in the scheme. */
  static double[] reference(Checkpoint checkpoint, ModelConfig model, int[] tokens)
      throws IOException {
    Map<String, double[]> numbers = new HashMap<>();
    try (Tensors file = checkpoint.tensors()) {
      for (String name : ParameterLayout.shapes(checkpoint.origin().model()).keySet()) {
        float[] stored = file.floats(name);
        double[] values = new double[stored.length];
        Arrays.setAll(values, i -> stored[i]);
        numbers.put(name, values);
      }
    }
    // The reference does not read its last token, so one more token makes it read all of ours.
    double[] nlls =
        new ReferenceDecoder(model, numbers).nll(Arrays.copyOf(tokens, tokens.length + 1));
    return Arrays.copyOf(nlls, tokens.length - 1);
  }
}
