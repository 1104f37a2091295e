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
   * The output of a language model: the final norm and, if embeddings are narrower than the model,
   * a projection to their width; then the output matrix.
   *
   * @param norm the final norm, if the form has one
   * @param project the projection to the width of embeddings, if there is one
   * @param matrix_Ve the token embeddings if the output is tied, otherwise its own matrix
   * @param kernels the kernels of the weights' device; the caller closes them
   */
  record Tokens(
      Optional<DecoderKernels.Affine> norm,
      Optional<DecoderKernels.Affine> project,
      NDArray matrix_Ve,
      DecoderKernels kernels)
      implements OutputHead {

    static OutputHead of(Weights weights, ModelConfig config, DecoderKernels kernels) {
      TokenForm form = config.form().tokens();
      return new Tokens(
          finalNorm(weights, config),
          form.isProjected()
              ? Optional.of(DecoderKernels.Affine.of(weights, "transformer.project_out"))
              : Optional.empty(),
          weights.get(form.tied() ? "transformer.wte.weight" : ParameterLayout.HEAD),
          kernels);
    }

    @Override
    public NDArray meanNll(NDArray x_Nd, NDArray targets_N) {
      return kernels.meanNll(projected(x_Nd, true), last(), matrix_Ve, targets_N);
    }

    @Override
    public NDArray nll(NDArray x_Nd, NDArray targets_N, boolean withGradient) {
      return kernels.nll(projected(x_Nd, withGradient), last(), matrix_Ve, targets_N, withGradient);
    }

    @Override
    public NDArray logits(NDArray x_Nd) {
      return kernels.logits(projected(x_Nd, false), last(), matrix_Ve);
    }

    private NDArray projected(NDArray x_Nd, boolean withGradient) {
      return project
          .map(
              to ->
                  norm.map(before -> kernels.normLinear(x_Nd, before, to, withGradient))
                      .orElseGet(() -> kernels.linear(x_Nd, to, withGradient)))
          .orElse(x_Nd);
    }

    /** The norm that the kernels apply last; without one they ignore it. */
    private DecoderKernels.Affine last() {
      return norm.orElseGet(() -> new DecoderKernels.Affine(matrix_Ve, matrix_Ve));
    }
  }

  /** The final norm, if the form has one. */
  private static Optional<DecoderKernels.Affine> finalNorm(Weights weights, ModelConfig config) {
    return config.form().hasFinalNorm()
        ? Optional.of(DecoderKernels.Affine.of(weights, "transformer.ln_f"))
        : Optional.empty();
  }

  /**
   * A projection to the labels of a classifier, after the final norm if the form has one.
   *
   * @param norm the final norm, if the form has one
   * @param linear the projection, with a row for each label
   * @param kernels the kernels of the weights' device; the caller closes them
   */
  record Labels(
      Optional<DecoderKernels.Affine> norm, DecoderKernels.Affine linear, DecoderKernels kernels)
      implements OutputHead {

    static OutputHead of(Weights weights, ModelConfig config, DecoderKernels kernels) {
      return new Labels(
          finalNorm(weights, config),
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
