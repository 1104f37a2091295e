package org.lengthwise.model;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.training.GradientCollector;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.lengthwise.positional.attention.Numerics;

/**
 * A recurrent network of one layer that gives a label to a string: h<sub>t</sub> =
 * relu(W<sub>i</sub> x<sub>t</sub> + b<sub>i</sub> + W<sub>h</sub> h<sub>t-1</sub> +
 * b<sub>h</sub>), where x<sub>t</sub> is one-hot and h before the first symbol is 0. The logits of
 * the labels are W h<sub>T-1</sub> + b.
 *
 * <p>An LSTM has four such sums instead of one, with the names of PyTorch's {@code torch.nn.LSTM}:
 * i, f, g and o. Its cell is c<sub>t</sub> = sigmoid(f) c<sub>t-1</sub> + sigmoid(i) tanh(g), and
 * h<sub>t</sub> = sigmoid(o) tanh(c<sub>t</sub>).
 *
 * <p>The embedding of a symbol is W<sub>i</sub> x<sub>t</sub> + b<sub>i</sub>, and the hidden state
 * of a position is h<sub>t</sub>.
 *
 * <p>Source: Elman, "Finding Structure in Time", Cognitive Science 1990; Hochreiter and
 * Schmidhuber, "Long Short-Term Memory", Neural Computation 1997. The activation of the first and
 * the two biases are those of the baseline of Delétang et al., "Neural Networks and the Chomsky
 * Hierarchy", ICLR 2023.
 */
final class Rnn implements LanguageModel {
  private final ModelConfig config;
  private final DecoderKernels kernels;
  private final DecoderKernels.Affine input;
  private final DecoderKernels.Affine recurrent;
  private final OutputHead head;

  Rnn(ModelConfig config, Weights weights, Numerics numerics) {
    this.config = config;
    this.input = affine(weights, ParameterLayout.RNN_INPUT, ParameterLayout.RNN_INPUT_BIAS);
    this.recurrent = affine(weights, ParameterLayout.RNN_STATE, ParameterLayout.RNN_STATE_BIAS);
    this.kernels = new DecoderKernels(config.form(), weights.device(), numerics);
    this.head =
        new OutputHead.Labels(
            Optional.empty(), DecoderKernels.Affine.of(weights, ParameterLayout.CLASSIFIER));
  }

  private Rnn(Rnn other, DecoderKernels kernels) {
    this.config = other.config;
    this.input = other.input;
    this.recurrent = other.recurrent;
    this.kernels = kernels;
    this.head = other.head;
  }

  @Override
  public Rnn withGradient() {
    return new Rnn(this, kernels.withGradient());
  }

  /** {@inheritDoc} Only its input has dropout. */
  @Override
  public Rnn withDropout(double rate, long seed, long firstRow) {
    return new Rnn(this, kernels.withDropout(new Dropout(rate, seed, firstRow)));
  }

  private static DecoderKernels.Affine affine(Weights weights, String weight, String bias) {
    return new DecoderKernels.Affine(weights.get(weight), weights.get(bias));
  }

  @Override
  public ModelConfig config() {
    return config;
  }

  @Override
  public NDArray embed(NDArray tokens_BT) {
    NDArray x_BTd = kernels.column(tokens_BT, input);
    if (!kernels.hasDropout()) {
      return x_BTd;
    }
    try (x_BTd) {
      return kernels.dropped(x_BTd);
    }
  }

  @Override
  public NDArray hidden(NDArray embedded_BTd) {
    return kernels.recur(embedded_BTd, recurrent, config.kind());
  }

  @Override
  public NDArray lastHidden(NDArray embedded_BTd) {
    return hidden(embedded_BTd).get(new NDIndex(":, -1"));
  }

  @Override
  public NDArray gradient(NDArray embedded_BTd, UnaryOperator<NDArray> scalar) {
    NDManager owner = embedded_BTd.getManager();
    try (NDManager pass = owner.newSubManager();
        GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      NDArray x_BTd = embedded_BTd.duplicate();
      x_BTd.attach(pass);
      x_BTd.setRequiresGradient(true);
      collector.backward(scalar.apply(withGradient().hidden(x_BTd)));
      NDArray gradient_BTd = x_BTd.getGradient();
      gradient_BTd.attach(owner);
      return gradient_BTd;
    }
  }

  @Override
  public NDArray nll(NDArray x_Nd, NDArray targets_N) {
    return head.nll(x_Nd, targets_N, kernels);
  }

  @Override
  public NDArray logits(NDArray x_Nd) {
    return head.logits(x_Nd, kernels);
  }

  /**
   * {@inheritDoc}
   *
   * @throws UnsupportedOperationException always, since an output of labels predicts no token
   */
  @Override
  public NDArray loss(NDArray tokens_BT, NDArray targets_BT) {
    throw new UnsupportedOperationException("a recurrent network labels strings");
  }

  /** {@inheritDoc} Never for an rnn. */
  @Override
  public NDArray loss(NDArray tokens_BT, NDArray places_N, NDArray targets_N) {
    throw new UnsupportedOperationException("an rnn labels strings");
  }

  /**
   * {@inheritDoc}
   *
   * @throws UnsupportedOperationException always, as {@link #loss}
   */
  @Override
  public TextState begin(NDManager manager, int context, int pinned) {
    throw new UnsupportedOperationException("a recurrent network labels strings");
  }

  @Override
  public void close() {
    kernels.close();
  }
}
