package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.lengthwise.positional.PositionSample;
import org.lengthwise.positional.attention.LayerStates;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.positional.attention.WatchedAttention;

/**
 * A model of text as training and measurements see it: from tokens to hidden states, and from
 * hidden states to the probabilities of the next token. A classifier of strings has the same
 * interface: its targets are labels, and it reads the hidden state of the last position.
 *
 * <p>A hidden state is a row of width d of the residual stream, before the output head. It is
 * float32, but in the format of the stream if the result has a graph. Results belong to the manager
 * of the first argument. Tokens and targets are int64. Inputs stay open. Results with a graph need
 * an open gradient collector.
 */
public interface LanguageModel extends AutoCloseable {
  /**
   * {@return the number of logits that a loss computes together: on a CPU 128 MB in float32, 640
   * rows of GPT-2's vocabulary; on a GPU 2 GB, 10,624 rows} A training pass holds one tensor of
   * this size, in the format of the products. A pass without gradients holds two, in float32.
   *
   * @param isGpu whether the model runs on a GPU, which needs large products
   */
  static long mostLogits(boolean isGpu) {
    return isGpu ? 1L << 29 : 1L << 25;
  }

  /**
   * {@return a model, to be closed by the caller, over weights that the caller keeps and closes
   * too}
   *
   * @param precision the format of its products
   */
  static LanguageModel of(ModelConfig config, Weights weights, Precision precision) {
    return of(config, weights, Numerics.of(precision));
  }

  /**
   * {@return a model, to be closed by the caller, over weights that the caller keeps and closes
   * too}
   *
   * @param numerics how it computes
   */
  static LanguageModel of(ModelConfig config, Weights weights, Numerics numerics) {
    if (config.kind().isNetwork()) {
      return new Rnn(config, weights, numerics);
    }
    return config.recurrence() instanceof Staircase
        ? new StaircaseModel(config, weights, numerics)
        : new Decoder(config, weights, numerics);
  }

  /** {@return the model's shape} */
  ModelConfig config();

  /**
   * {@return this model with a graph of each result for a backward pass} Both share everything, so
   * only one of them is closed.
   */
  LanguageModel withGradient();

  /**
   * {@return this model with another seed of the positions that its scheme draws; this model if it
   * draws none} Both share everything else, so only one of them is closed.
   *
   * @param seed decides the positions of a pass, together with its length
   */
  default LanguageModel withPositions(long seed) {
    return this;
  }

  /**
   * {@return this model with dropout in results that have a graph: of embeddings, and of what
   * attention and MLP add to the residual stream} The attention weights keep every key, since fused
   * kernels take no mask of ours. Both share everything else, so only one of them is closed.
   *
   * @param rate the share of zeroed numbers, from 0 to below 1
   * @param seed decides the masks of a step
   * @param firstRow the place of the first sequence of the next pass in its batch
   */
  LanguageModel withDropout(double rate, long seed, long firstRow);

  /**
   * {@return this model, whose passes over all positions in float32 also report the weights of each
   * executed layer of attention; empty for a model without attention over its positions} Both share
   * everything, so only one of them is closed.
   *
   * @param report gets weights that belong to the manager of the pass, with their graph
   */
  default Optional<LanguageModel> watched(Consumer<WatchedAttention.Weights> report) {
    return Optional.empty();
  }

  /**
   * {@return this model, whose next pass over all positions begins with states and leaves others;
   * this model without them} Both share everything else, so only one of them is closed.
   *
   * @param states states of linear recurrences
   */
  default LanguageModel carrying(Optional<LayerStates> states) {
    return this;
  }

  /**
   * {@return the positions or distances that a pass over T positions draws; empty if its scheme
   * draws none}
   */
  default Optional<PositionSample> positions(int length) {
    return Optional.empty();
  }

  /**
   * {@return the embeddings of tokens [B, T, d]} A scheme with position embeddings adds them here.
   *
   * @throws IllegalArgumentException if the scheme has fewer than T positions
   */
  NDArray embed(NDArray tokens_BT);

  /**
   * Runs all executed layers.
   *
   * @return the hidden states [B, T, d]
   */
  NDArray hidden(NDArray embedded_BTd);

  /**
   * {@return the hidden states [B, d] of the last position only} They equal the last position of
   * {@link #hidden}, usually for much less work.
   */
  NDArray lastHidden(NDArray embedded_BTd);

  /**
   * {@return for each level the rows [B, n, d] that {@link #lastHidden} computes} The last level
   * has one row, the result of {@link #lastHidden}. A model without levels has one level.
   */
  default List<NDArray> levels(NDArray embedded_BTd) {
    return List.of(lastHidden(embedded_BTd).expandDims(1));
  }

  /**
   * {@return the gradient [B, T, d] of a scalar with respect to the embeddings} The weights get no
   * gradients. Memory stays low: each layer's forward pass runs a second time, right before its
   * backward pass.
   *
   * @param scalar maps the hidden states [B, T, d] to the scalar that is differentiated
   */
  NDArray gradient(NDArray embedded_BTd, UnaryOperator<NDArray> scalar);

  /**
   * {@return the mean negative log-likelihood of targets in nats, a scalar with its graph}
   *
   * @param targets_BT the token that follows each input, int64
   */
  NDArray loss(NDArray tokens_BT, NDArray targets_BT);

  /**
   * {@return {@link #loss(NDArray, NDArray)} of the targets at some positions only}
   *
   * @param places_N the places of the targets among the B T positions, int64
   */
  NDArray loss(NDArray tokens_BT, NDArray places_N, NDArray targets_N);

  /**
   * {@return the negative log-likelihood [N] in nats of the targets that follow some positions}
   *
   * @param targets_N the token that follows each of them, or its label, int64
   */
  NDArray nll(NDArray x_Nd, NDArray targets_N);

  /**
   * {@return the logits [N, V] of the tokens that follow some positions, or a column for each of
   * their labels}
   */
  NDArray logits(NDArray x_Nd);

  /**
   * Begins to read a text piece by piece.
   *
   * @param manager the owner of the results, on the model's device
   * @param context the largest number of latest tokens that the model reads. It reads all tokens of
   *     a shorter text, and between half and all of that number in a longer one; up to C - 1 fewer
   *     with a recurrence, because the first token that it reads begins a chunk. A model with
   *     {@linkplain ModelConfig#hasBoundedState a bounded state} reads all tokens
   * @param pinned how many of the first tokens are always read, such as 1 for BOS; the context
   *     includes them
   * @return the state before the first token, to be closed by the caller
   */
  TextState begin(NDManager manager, int context, int pinned);

  /**
   * {@return {@link #begin(NDManager, int, int)} without tokens that are always read}
   *
   * @param context the largest number of latest tokens that the model reads
   */
  default TextState begin(NDManager manager, int context) {
    return begin(manager, context, 0);
  }

  @Override
  void close();
}
