package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Attention;

/**
 * The learnable tensors of a model's scheme.
 *
 * @param byBlock the tensors of each block by short name; blocks may share a tensor
 */
record SchemeTensors(PositionalScheme scheme, List<Map<String, NDArray>> byBlock)
    implements Attention.Tensors {

  static SchemeTensors of(Weights weights, ModelConfig config) {
    List<Map<String, NDArray>> byBlock = new ArrayList<>();
    for (int k = 0; k < config.layers(); k++) {
      Map<String, NDArray> own = new HashMap<>();
      for (PositionalParameter parameter :
          config.position().parameters(config.heads(), config.positionalWidth())) {
        if (parameter.blocks().contain(k)) {
          own.put(parameter.name(), weights.get(ParameterLayout.positionalName(parameter, k)));
        }
      }
      byBlock.add(own);
    }
    return new SchemeTensors(config.position(), byBlock);
  }

  @Override
  public NDArray get(String name, int block) {
    NDArray tensor = byBlock.get(block).get(name);
    if (tensor == null) {
      throw new IllegalArgumentException(
          "block %s of %s has no tensor %s".formatted(block, scheme.label(), name));
    }
    return tensor;
  }
}
