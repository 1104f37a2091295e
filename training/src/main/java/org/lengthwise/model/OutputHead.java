package org.lengthwise.model;

import ai.djl.ndarray.NDArray;

/** Maps hidden states to the probabilities of the next token. Does not own its tensors. */
interface OutputHead {

  /** The mean of {@link #nll}, a scalar in nats with its graph. */
  NDArray meanNll(NDArray x_Nd, NDArray targets_N);

  /** The negative log-likelihood [N] of each target in nats, from hidden states [N, d]. */
  NDArray nll(NDArray x_Nd, NDArray targets_N, boolean withGradient);

  /** The logits [N, V] from hidden states [N, d], without a graph. */
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
}
