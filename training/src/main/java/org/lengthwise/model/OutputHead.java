package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import java.util.Optional;

/** Maps hidden states to the probabilities of tokens or labels. Does not own its tensors. */
interface OutputHead {

  /** The mean of {@link #nll}, a scalar in nats with its graph. */
  NDArray meanNll(NDArray x_Nd, NDArray targets_N);

  /** The negative log-likelihood [N] of each target in nats, from hidden states [N, d]. */
  NDArray nll(NDArray x_Nd, NDArray targets_N, boolean withGradient);

  /** The logits of all tokens or labels, from hidden states [N, d], without a graph. */
  NDArray logits(NDArray x_Nd);

  /**
   * The final LayerNorm, then the token embeddings as output projection.
   *
   * @param norm the final LayerNorm
   * @param wte_Vd the token embeddings
   * @param kernels the kernels of the weights' device; the caller closes them
   */
  record Tied(DecoderKernels.Affine norm, NDArray wte_Vd, DecoderKernels kernels)
      implements OutputHead {

    static OutputHead of(Weights weights, DecoderKernels kernels) {
      return new Tied(
          DecoderKernels.Affine.of(weights, "transformer.ln_f"),
          weights.get("transformer.wte.weight"),
          kernels);
    }

    @Override
    public NDArray meanNll(NDArray x_Nd, NDArray targets_N) {
      return kernels.meanNll(x_Nd, norm, wte_Vd, targets_N);
    }

    @Override
    public NDArray nll(NDArray x_Nd, NDArray targets_N, boolean withGradient) {
      return kernels.nll(x_Nd, norm, wte_Vd, targets_N, withGradient);
    }

    @Override
    public NDArray logits(NDArray x_Nd) {
      return kernels.logits(x_Nd, norm, wte_Vd);
    }
  }

  /**
   * A projection to the labels of a classifier, after a final LayerNorm if the blocks are pre-norm.
   *
   * @param norm the final LayerNorm of pre-norm blocks
   * @param linear the projection, with a row for each label
   * @param kernels the kernels of the weights' device; the caller closes them
   */
  record Labels(
      Optional<DecoderKernels.Affine> norm, DecoderKernels.Affine linear, DecoderKernels kernels)
      implements OutputHead {

    static OutputHead of(Weights weights, ModelConfig config, DecoderKernels kernels) {
      boolean isPre = config.form().norm() == DecoderForm.Norm.PRE;
      return new Labels(
          isPre
              ? Optional.of(DecoderKernels.Affine.of(weights, "transformer.ln_f"))
              : Optional.empty(),
          DecoderKernels.Affine.of(weights, ParameterLayout.CLASSIFIER),
          kernels);
    }

    @Override
    public NDArray meanNll(NDArray x_Nd, NDArray targets_N) {
      return nll(x_Nd, targets_N, true).mean();
    }

    @Override
    public NDArray nll(NDArray x_Nd, NDArray targets_N, boolean withGradient) {
      return kernels.labelNll(logits(x_Nd, withGradient), targets_N, withGradient);
    }

    @Override
    public NDArray logits(NDArray x_Nd) {
      return logits(x_Nd, false);
    }

    private NDArray logits(NDArray x_Nd, boolean withGradient) {
      return norm.map(before -> kernels.normLinear(x_Nd, before, linear, withGradient))
          .orElseGet(() -> kernels.linear(x_Nd, linear, withGradient));
    }
  }
}
