package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import java.util.Optional;
import org.lengthwise.model.DecoderKernels.Affine;
import org.lengthwise.positional.attention.PositionEmbedding;

/**
 * The input of the first block: the embeddings of tokens, and of positions if the scheme has some.
 *
 * @param wte_Ve the embeddings of all tokens
 * @param scale the factor of token embeddings
 * @param projection from the width of embeddings to that of the model, if they differ
 * @param norm the normalisation of the sum, if there is one
 */
record Embedding(NDArray wte_Ve, double scale, Optional<Affine> projection, Optional<Affine> norm) {

  static Embedding of(Weights weights, ModelConfig config) {
    return new Embedding(
        weights.get("transformer.wte.weight"),
        config.embeddingScale(),
        optional(weights, "transformer.project_in"),
        optional(weights, ParameterLayout.EMBEDDING_NORM));
  }

  private static Optional<Affine> optional(Weights weights, String name) {
    return weights.tensors().containsKey(name + ".weight")
        ? Optional.of(Affine.of(weights, name))
        : Optional.empty();
  }

  /** [B, T] to [B, T, d], owned by the tokens' manager. */
  NDArray embed(NDArray tokens_BT, Optional<PositionEmbedding> positions, DecoderKernels kernels) {
    double factor = positions.map(PositionEmbedding::scale).orElse(1.0);
    NDArray x_BTd;
    if (projection.isEmpty()) {
      x_BTd = kernels.embed(tokens_BT, wte_Ve, scale * factor);
      factor = 1;
    } else {
      try (NDArray narrow_BTe = kernels.embed(tokens_BT, wte_Ve, scale)) {
        x_BTd = kernels.linear(narrow_BTe, projection.get());
      }
    }
    if (positions.isPresent()) {
      try (NDArray tokens_BTd = x_BTd) {
        x_BTd = kernels.addPositions(tokens_BTd, positions.get().positions_Nd(), factor);
      }
    }
    if (norm.isPresent()) {
      try (NDArray sum_BTd = x_BTd) {
        x_BTd = kernels.normalise(sum_BTd, norm.get());
      }
    }
    if (kernels.hasDropout()) {
      try (NDArray all_BTd = x_BTd) {
        x_BTd = kernels.dropped(all_BTd);
      }
    }
    return kernels.stream(x_BTd);
  }
}
