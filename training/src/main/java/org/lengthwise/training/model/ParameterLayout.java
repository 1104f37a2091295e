package org.lengthwise.training.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lengthwise.positional.Initial;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalParameter.Bounds;

/**
 * All tensors of a model, in checkpoint order, under nanoGPT's names.
 *
 * <p>Weights and embeddings start from N(0, 0.02), the two projections back onto the residual
 * stream from N(0, 0.02 / sqrt(2 K)), biases from 0, LayerNorm from 1 and 0. Weight decay applies
 * to matrices, never to positional tensors.
 *
 * <p>Positional tensors follow, with the first values that their scheme states:
 *
 * <ul>
 *   <li>KERPLE: {@code transformer.position.p} [H] and {@code .a} [H]
 *   <li>T5: {@code transformer.position.bias} [32, H]
 *   <li>RegularGPT: {@code transformer.h.{k}.attn.r} [H, C]
 *   <li>FIRE: {@code transformer.h.{k}.attn.fire.c} [1], {@code .l} [1], {@code .c_fc.weight} [32,
 *       1], {@code .c_fc.bias} [32], {@code .c_proj.weight} [H, 32], {@code .c_proj.bias} [H]
 *   <li>learned: {@code transformer.wpe.weight} [positions, d]
 *   <li>ALiBi, Sandwich, RoPE, sinusoidal, sliding window, none: nothing
 * </ul>
 */
public final class ParameterLayout {
  private static final double DEVIATION = 0.02;

  private ParameterLayout() {}

  /**
   * The tensors of a model.
   *
   * @param config the model's shape
   * @return their descriptions; names are unique
   */
  public static List<ParameterSpec> of(ModelConfig config) {
    int d = config.width();
    double residual = DEVIATION / Math.sqrt(2.0 * config.layers());
    List<ParameterSpec> specs = new ArrayList<>();
    specs.add(matrix("transformer.wte.weight", config.vocabulary(), d, DEVIATION));
    for (int k = 0; k < config.layers(); k++) {
      String block = block(k);
      addNorm(specs, block + "ln_1", d);
      addLinear(specs, block + "attn.c_attn", d, 3 * d, DEVIATION);
      addLinear(specs, block + "attn.c_proj", d, d, residual);
      addNorm(specs, block + "ln_2", d);
      addLinear(specs, block + "mlp.c_fc", d, 4 * d, DEVIATION);
      addLinear(specs, block + "mlp.c_proj", 4 * d, d, residual);
    }
    addNorm(specs, "transformer.ln_f", d);
    for (PositionalParameter parameter :
        config.position().parameters(config.heads(), config.width())) {
      int copies = parameter.scope() == PositionalParameter.Scope.BLOCK ? config.layers() : 1;
      for (int k = 0; k < copies; k++) {
        specs.add(positional(parameter, k));
      }
    }
    return List.copyOf(specs);
  }

  /**
   * The tensors' axes, for a file.
   *
   * @param config the model's shape
   * @return each tensor's axes by name, in checkpoint order
   */
  public static Map<String, List<Integer>> shapes(ModelConfig config) {
    Map<String, List<Integer>> shapes = new LinkedHashMap<>();
    of(config).forEach(spec -> shapes.put(spec.name(), spec.shape()));
    return shapes;
  }

  /**
   * The prefix of a block's tensors.
   *
   * @param k the distinct block
   * @return {@code transformer.h.{k}.}
   */
  static String block(int k) {
    return "transformer.h." + k + ".";
  }

  /**
   * The name of a positional tensor.
   *
   * @param parameter its description
   * @param k the distinct block that asks
   * @return {@code transformer.h.{k}.attn.NAME}, {@code transformer.position.NAME} or {@code
   *     transformer.NAME}
   */
  static String positionalName(PositionalParameter parameter, int k) {
    return switch (parameter.scope()) {
      case BLOCK -> block(k) + "attn." + parameter.name();
      case MODEL -> "transformer.position." + parameter.name();
      case EMBEDDING -> "transformer." + parameter.name();
    };
  }

  private static ParameterSpec positional(PositionalParameter parameter, int k) {
    return new ParameterSpec(
        positionalName(parameter, k),
        parameter.shape(),
        parameter.initial(),
        false,
        parameter.bounds());
  }

  private static void addNorm(List<ParameterSpec> specs, String name, int width) {
    specs.add(vector(name + ".weight", width, 1));
    specs.add(vector(name + ".bias", width, 0));
  }

  private static void addLinear(
      List<ParameterSpec> specs, String name, int in, int out, double deviation) {
    specs.add(matrix(name + ".weight", out, in, deviation));
    specs.add(vector(name + ".bias", out, 0));
  }

  private static ParameterSpec matrix(String name, int rows, int columns, double deviation) {
    return new ParameterSpec(
        name, List.of(rows, columns), new Initial.Normal(deviation), true, Bounds.NONE);
  }

  private static ParameterSpec vector(String name, int size, float value) {
    return new ParameterSpec(name, List.of(size), new Initial.Constant(value), false, Bounds.NONE);
  }
}
