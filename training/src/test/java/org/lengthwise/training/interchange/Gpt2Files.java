package org.lengthwise.training.interchange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.lengthwise.training.safetensors.HandWritten;

/** A small GPT-2 in Hugging Face's layout, built by hand. */
final class Gpt2Files {
  static final int LAYERS = 2;
  static final int WIDTH = 6;
  static final int HEADS = 3;
  static final int POSITIONS = 9;
  static final int VOCABULARY = 257;

  static final String CONFIG =
      """
      {"model_type": "gpt2", "n_layer": 2, "n_embd": 6, "n_head": 3, "n_positions": 9,
       "n_ctx": 9, "vocab_size": 257, "layer_norm_epsilon": 1e-05,
       "activation_function": "gelu_new", "n_inner": null, "scale_attn_weights": true,
       "transformers_version": "4.57.6"}
      """;

  private Gpt2Files() {}

  /** Random tensors by name and axes, as {@link HandWritten#floats} takes them. */
  static Map<String, float[]> tensors(Random random) {
    Map<String, float[]> tensors = new LinkedHashMap<>();
    put(tensors, "wte.weight", random, VOCABULARY, WIDTH);
    put(tensors, "wpe.weight", random, POSITIONS, WIDTH);
    for (int k = 0; k < LAYERS; k++) {
      String block = "h." + k + ".";
      norm(tensors, block + "ln_1", random);
      linear(tensors, block + "attn.c_attn", random, WIDTH, 3 * WIDTH);
      linear(tensors, block + "attn.c_proj", random, WIDTH, WIDTH);
      norm(tensors, block + "ln_2", random);
      linear(tensors, block + "mlp.c_fc", random, WIDTH, 4 * WIDTH);
      linear(tensors, block + "mlp.c_proj", random, 4 * WIDTH, WIDTH);
      put(tensors, block + "attn.bias", random, 1, 1, POSITIONS, POSITIONS);
      put(tensors, block + "attn.masked_bias", random);
    }
    norm(tensors, "ln_f", random);
    return tensors;
  }

  /** A folder as a download has it. */
  static Path write(Path folder, String config, Map<String, float[]> tensors) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("config.json"), config);
    HandWritten.floats(folder.resolve("model.safetensors"), tensors);
    return folder;
  }

  private static void norm(Map<String, float[]> tensors, String name, Random random) {
    put(tensors, name + ".weight", random, WIDTH);
    put(tensors, name + ".bias", random, WIDTH);
  }

  private static void linear(
      Map<String, float[]> tensors, String name, Random random, int in, int out) {
    put(tensors, name + ".weight", random, in, out);
    put(tensors, name + ".bias", random, out);
  }

  private static void put(Map<String, float[]> tensors, String name, Random random, int... shape) {
    StringBuilder heading = new StringBuilder(name);
    int size = 1;
    for (int axis : shape) {
      heading.append(' ').append(axis);
      size *= axis;
    }
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) random.nextGaussian() / 2;
    }
    tensors.put(heading.toString(), values);
  }
}
