package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.lengthwise.positional.PositionSample;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.LastPositionAttention;
import org.lengthwise.positional.attention.LayerStates;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.PositionEmbedding;
import org.lengthwise.positional.attention.WatchedAttention;

/** A decoder of the form that its configuration states: embeddings, executed layers, a head. */
public final class Decoder implements LanguageModel {
  private final ModelConfig config;
  private final Embedding embedding;
  private final DecoderLayers layers;
  private final OutputHead head;

  Decoder(ModelConfig config, Weights weights, Numerics numerics) {
    this(config, weights, numerics, Attention::begin);
  }

  /**
   * A decoder with another computation of attention in {@link #hidden}, to compare with.
   *
   * @param weights the model's tensors, which the caller closes
   * @param numerics how the model computes
   * @param attention prepares the attention of a pass
   */
  public Decoder(
      ModelConfig config, Weights weights, Numerics numerics, Attention.Provider attention) {
    this.config = config;
    this.embedding = Embedding.of(weights, config);
    this.head = OutputHead.of(weights, config);
    AttentionKernels attentionKernels = new AttentionKernels(weights.device(), numerics);
    try {
      DecoderKernels kernels = new DecoderKernels(config.form(), weights.device(), numerics);
      this.layers = DecoderLayers.of(weights, config, attention, attentionKernels, kernels);
    } catch (RuntimeException e) {
      attentionKernels.close();
      throw e;
    }
  }

  private Decoder(Decoder other, DecoderLayers layers) {
    this.config = other.config;
    this.embedding = other.embedding;
    this.layers = layers;
    this.head = other.head;
  }

  @Override
  public Decoder withGradient() {
    return new Decoder(this, layers.withGradient());
  }

  @Override
  public Decoder withPositions(long seed) {
    return new Decoder(this, layers.withPositions(seed));
  }

  @Override
  public Decoder withDropout(double rate, long seed, long firstRow) {
    return new Decoder(this, layers.with(new Dropout(rate, seed, firstRow)));
  }

  @Override
  public Optional<LanguageModel> watched(Consumer<WatchedAttention.Weights> report) {
    return config.hasAttention()
        ? Optional.of(new Decoder(this, layers.watched(report)))
        : Optional.empty();
  }

  /** {@return this decoder with another computation of attention in {@link #hidden}} */
  public Decoder attending(Attention.Provider attention) {
    return new Decoder(this, layers.attending(attention));
  }

  @Override
  public Decoder carrying(Optional<LayerStates> states) {
    return states.isEmpty() ? this : new Decoder(this, layers.withStates(states.get()));
  }

  @Override
  public Optional<PositionSample> positions(int length) {
    return config.position().sample(layers.seed(), length);
  }

  @Override
  public ModelConfig config() {
    return config;
  }

  DecoderLayers layers() {
    return layers;
  }

  DecoderKernels kernels() {
    return layers.kernels();
  }

  @Override
  public NDArray embed(NDArray tokens_BT) {
    return embed(tokens_BT, 0);
  }

  /** The embeddings of tokens at the positions from first on. */
  NDArray embed(NDArray tokens_BT, int first) {
    int end = first + Math.toIntExact(tokens_BT.getShape().get(1));
    if (end > config.position().lengths().longest()) {
      throw new IllegalArgumentException(
          "%s has %s positions, found %s tokens"
              .formatted(config.position().label(), config.position().lengths().longest(), end));
    }
    try (NDManager made = tokens_BT.getManager().newSubManager()) {
      Optional<PositionEmbedding> positions =
          PositionEmbedding.of(
              config.position(),
              layers.attentionKernels(),
              layers.tensors(),
              layers.pass(end),
              first,
              made);
      return embedding.embed(tokens_BT, positions, kernels());
    }
  }

  @Override
  public NDArray hidden(NDArray embedded_BTd) {
    return layers.run(embedded_BTd);
  }

  @Override
  public NDArray gradient(NDArray embedded_BTd, UnaryOperator<NDArray> scalar) {
    return layers.withGradient().gradient(embedded_BTd, scalar);
  }

  /** {@inheritDoc} A pass with gradients computes all positions, except under RegularGPT. */
  @Override
  public NDArray lastHidden(NDArray embedded_BTd) {
    if (kernels().hasGradient() && !LastPositionAttention.hasGradients(config.position())) {
      return hidden(embedded_BTd).get(new NDIndex(":, -1"));
    }
    try (NDArray x_B1d = layers.last(embedded_BTd, NDArray::close)) {
      return x_B1d.squeeze(1);
    }
  }

  @Override
  public List<NDArray> levels(NDArray embedded_BTd) {
    List<NDArray> levels = new ArrayList<>();
    NDArray last_B1d = layers.last(embedded_BTd, levels::add);
    levels.add(last_B1d);
    return levels;
  }

  @Override
  public NDArray loss(NDArray tokens_BT, NDArray targets_BT) {
    Decoder graphs = withGradient();
    return graphs.loss(tokens_BT, targets_BT, graphs::hidden);
  }

  @Override
  public NDArray loss(NDArray tokens_BT, NDArray places_N, NDArray targets_N) {
    Decoder graphs = withGradient();
    return graphs.loss(
        tokens_BT, targets_N, embedded -> graphs.at(places_N, graphs.hidden(embedded)));
  }

  /** The rows at some places of hidden states [B, T, d]: [N, d]. */
  NDArray at(NDArray places_N, NDArray x_BTd) {
    return kernels().rows(x_BTd, places_N);
  }

  /** The loss after layers that the caller runs. */
  NDArray loss(NDArray tokens_BT, NDArray targets_BT, UnaryOperator<NDArray> hidden) {
    try (NDManager forward = tokens_BT.getManager().newSubManager()) {
      NDArray embedded_BTd = embed(tokens_BT);
      embedded_BTd.attach(forward);
      NDArray x_Nd = hidden.apply(embedded_BTd).reshape(-1, config.width());
      NDArray loss = head.meanNll(x_Nd, targets_BT.reshape(-1), kernels());
      loss.attach(tokens_BT.getManager());
      return loss;
    }
  }

  @Override
  public NDArray nll(NDArray x_Nd, NDArray targets_N) {
    if (!x_Nd.getShape().equals(new Shape(targets_N.size(), config.width()))) {
      throw new IllegalArgumentException(
          "expected one row of width %s for each of %s targets, found %s"
              .formatted(config.width(), targets_N.size(), x_Nd.getShape()));
    }
    return head.nll(x_Nd, targets_N, kernels());
  }

  @Override
  public NDArray logits(NDArray x_Nd) {
    return head.logits(x_Nd, kernels());
  }

  @Override
  public TextState begin(NDManager manager, int context, int pinned) {
    if (!config.hasBoundedState()) {
      return new CachedText(this, manager, context, pinned);
    }
    return layers.recurrent().isPresent()
        ? new BlockRecurrentText(this, layers.recurrent().get(), manager)
        : new LinearText(this, manager);
  }

  @Override
  public void close() {
    layers.close();
  }
}
