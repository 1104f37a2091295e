package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import java.util.Optional;
import org.lengthwise.model.DecoderKernels.Affine;

/** Maps hidden states to the probabilities of tokens or labels. Does not own its tensors. */
interface OutputHead {

  static OutputHead of(Weights weights, ModelConfig config) {
    Optional<Affine> norm =
        config.form().hasFinalNorm()
            ? Optional.of(Affine.of(weights, "transformer.ln_f"))
            : Optional.empty();
    if (config.isClassifier()) {
      return new Labels(norm, Affine.of(weights, ParameterLayout.CLASSIFIER));
    }
    TokenForm form = config.form().tokens();
    return new Tokens(
        norm,
        form.isProjected()
            ? Optional.of(Affine.of(weights, "transformer.project_out"))
            : Optional.empty(),
        weights.get(form.tied() ? "transformer.wte.weight" : ParameterLayout.HEAD));
  }

  /** The mean of {@link #nll}, a scalar in nats with its graph. */
  NDArray meanNll(NDArray x_Nd, NDArray targets_N, DecoderKernels kernels);

  /** The negative log-likelihood [N] of each target in nats, from hidden states [N, d]. */
  NDArray nll(NDArray x_Nd, NDArray targets_N, DecoderKernels kernels);

  /** The logits of all tokens or labels, from hidden states [N, d]. */
  NDArray logits(NDArray x_Nd, DecoderKernels kernels);

  /**
   * The output of a language model: the final norm and, if embeddings are narrower than the model,
   * a projection to their width; then the output matrix.
   *
   * @param norm the final norm, if the form has one
   * @param project the projection to the width of embeddings, if there is one
   * @param matrix_Ve the token embeddings if the output is tied, otherwise its own matrix
   */
  record Tokens(Optional<Affine> norm, Optional<Affine> project, NDArray matrix_Ve)
      implements OutputHead {

    @Override
    public NDArray meanNll(NDArray x_Nd, NDArray targets_N, DecoderKernels kernels) {
      NDArray x_Ne = projected(x_Nd, kernels.withGradient());
      return kernels.meanNll(x_Ne, last(), matrix_Ve, targets_N);
    }

    @Override
    public NDArray nll(NDArray x_Nd, NDArray targets_N, DecoderKernels kernels) {
      return kernels.nll(projected(x_Nd, kernels), last(), matrix_Ve, targets_N);
    }

    @Override
    public NDArray logits(NDArray x_Nd, DecoderKernels kernels) {
      return kernels.logits(projected(x_Nd, kernels), last(), matrix_Ve);
    }

    private NDArray projected(NDArray x_Nd, DecoderKernels kernels) {
      return project.map(to -> normLinear(x_Nd, norm, to, kernels)).orElse(x_Nd);
    }

    /** The norm that the kernels apply last; without one they ignore it. */
    private Affine last() {
      return norm.orElseGet(() -> new Affine(matrix_Ve, matrix_Ve));
    }
  }

  private static NDArray normLinear(
      NDArray x_Nd, Optional<Affine> norm, Affine linear, DecoderKernels kernels) {
    return norm.map(before -> kernels.normLinear(x_Nd, before, linear))
        .orElseGet(() -> kernels.linear(x_Nd, linear));
  }

  /**
   * A projection to the labels of a classifier, after the final norm if the form has one.
   *
   * @param linear the projection, with a row for each label
   */
  record Labels(Optional<Affine> norm, Affine linear) implements OutputHead {

    @Override
    public NDArray meanNll(NDArray x_Nd, NDArray targets_N, DecoderKernels kernels) {
      return nll(x_Nd, targets_N, kernels.withGradient()).mean();
    }

    @Override
    public NDArray nll(NDArray x_Nd, NDArray targets_N, DecoderKernels kernels) {
      return kernels.labelNll(logits(x_Nd, kernels), targets_N);
    }

    @Override
    public NDArray logits(NDArray x_Nd, DecoderKernels kernels) {
      return normLinear(x_Nd, norm, linear, kernels);
    }
  }
}
