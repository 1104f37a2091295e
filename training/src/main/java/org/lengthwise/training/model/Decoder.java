package org.lengthwise.training.model;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.LastPositionAttention;
import org.lengthwise.positional.attention.PositionEmbedding;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.model.DecoderKernels.Affine;

/**
 * A language model ready to run: weights, and the kernels of their device. Its depth follows the
 * length of each input: all K blocks at level 0, the same K at level 1, and so on.
 *
 * <p>Results belong to the manager of the tokens or embeddings that came in. Methods that say so
 * record gradients; they need an open gradient collector.
 */
public final class Decoder implements AutoCloseable {
  private final ModelConfig config;
  private final AttentionKernels attentionKernels;
  private final DecoderKernels kernels;
  private final List<Block> blocks;
  private final Map<String, List<NDArray>> positional;
  private final Affine finalNorm;
  private final NDArray wte_Vd;

  /**
   * A model over weights that the caller keeps and closes.
   *
   * @param config the model's shape
   * @param weights its tensors
   * @param precision the format of its products
   */
  public Decoder(ModelConfig config, Weights weights, Precision precision) {
    this.config = config;
    this.blocks = IntStream.range(0, config.layers()).mapToObj(k -> Block.of(weights, k)).toList();
    this.positional = positional(config, weights);
    this.finalNorm = Affine.of(weights, "transformer.ln_f");
    this.wte_Vd = weights.get("transformer.wte.weight");
    this.attentionKernels = new AttentionKernels(weights.device(), precision);
    try {
      this.kernels = new DecoderKernels(weights.device(), precision);
    } catch (RuntimeException e) {
      attentionKernels.close();
      throw e;
    }
  }

  /**
   * The model's shape.
   *
   * @return the configuration
   */
  public ModelConfig config() {
    return config;
  }

  /**
   * The embeddings of tokens, with those of their positions where the scheme has any.
   *
   * @param tokens_BT token ids, int64
   * @param recordsGradient whether a backward pass will follow
   * @return the embeddings [B, T, d]
   */
  public NDArray embed(NDArray tokens_BT, boolean recordsGradient) {
    int length = Math.toIntExact(tokens_BT.getShape().get(1));
    if (length > config.position().longestLength()) {
      throw new IllegalArgumentException(
          "%s has %d positions, found %d tokens"
              .formatted(config.position().label(), config.position().longestLength(), length));
    }
    try (NDManager made = tokens_BT.getManager().newSubManager()) {
      return PositionEmbedding.of(config.position(), this::positional, length, config.width(), made)
          .map(positions -> kernels.embedAt(tokens_BT, wte_Vd, positions, recordsGradient))
          .orElseGet(() -> kernels.embed(tokens_BT, wte_Vd, recordsGradient));
    }
  }

  /**
   * Runs all executed layers.
   *
   * @param embedded_BTd token embeddings; they stay open
   * @param recordsGradient whether a backward pass will follow
   * @return the residual stream [B, T, d] before the final LayerNorm
   */
  public NDArray hidden(NDArray embedded_BTd, boolean recordsGradient) {
    try (NDManager shared = embedded_BTd.getManager().newSubManager()) {
      Attention attention = attention(embedded_BTd, recordsGradient, shared);
      NDArray x_BTd = embedded_BTd;
      for (Layer layer : layers(embedded_BTd)) {
        NDArray y_BTd = layer.forward(x_BTd, attention, recordsGradient);
        if (x_BTd != embedded_BTd) {
          x_BTd.close();
        }
        x_BTd = y_BTd;
      }
      return x_BTd;
    }
  }

  /**
   * The gradient of a scalar by the embeddings, while weights ask for none. What a layer keeps for
   * its backward pass is made anew from its input when its turn comes, so that one layer's is there
   * at a time, for half as much work again.
   *
   * @param embedded_BTd token embeddings; they stay open
   * @param scalar what is differentiated, from the residual stream [B, T, d] before the final
   *     LayerNorm
   * @return the gradient [B, T, d]
   */
  public NDArray gradient(NDArray embedded_BTd, UnaryOperator<NDArray> scalar) {
    NDManager owner = embedded_BTd.getManager();
    try (NDManager pass = owner.newSubManager()) {
      Attention attention = attention(embedded_BTd, true, pass);
      List<Layer> layers = layers(embedded_BTd);
      Deque<NDArray> inputs = new ArrayDeque<>();
      NDArray x_BTd = embedded_BTd.duplicate();
      x_BTd.attach(pass);
      for (Layer layer : layers) {
        inputs.push(x_BTd);
        x_BTd = layer.forward(x_BTd, attention, true); // no input asks for a gradient yet
      }
      NDArray gradient_BTd = gradientAt(x_BTd, scalar);
      for (int i = layers.size() - 1; i >= 0; i--) {
        Layer layer = layers.get(i);
        NDArray above_BTd = gradient_BTd;
        gradient_BTd =
            gradientAt(inputs.pop(), x -> layer.forward(x, attention, true).mul(above_BTd).sum());
        above_BTd.close();
      }
      gradient_BTd.attach(owner);
      return gradient_BTd;
    }
  }

  /** The gradient of a scalar at x, which is closed together with all that was made of it. */
  private static NDArray gradientAt(NDArray x_BTd, UnaryOperator<NDArray> scalar) {
    try (NDManager graph = x_BTd.getManager().newSubManager();
        GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      NDManager owner = x_BTd.getManager();
      x_BTd.attach(graph);
      x_BTd.setRequiresGradient(true);
      collector.backward(scalar.apply(x_BTd));
      NDArray gradient_BTd = x_BTd.getGradient();
      gradient_BTd.attach(owner);
      return gradient_BTd;
    }
  }

  /** A block at the level at which it runs. */
  private record Layer(Block block, int level, DecoderKernels kernels) {
    NDArray forward(NDArray x_BTd, Attention attention, boolean recordsGradient) {
      return block.forward(x_BTd, attention, level, kernels, recordsGradient);
    }
  }

  /** All executed layers of a length, the lowest first. */
  private List<Layer> layers(NDArray x_BTd) {
    List<Layer> layers = new ArrayList<>();
    for (int level = 0; level < config.position().levels(length(x_BTd)); level++) {
      for (Block block : blocks) {
        layers.add(new Layer(block, level, kernels));
      }
    }
    return layers;
  }

  private Attention attention(NDArray x_BTd, boolean recordsGradient, NDManager shared) {
    return Attention.begin(
        config.position(),
        attentionKernels,
        this::positional,
        new Attention.Pass(config.heads(), config.headWidth(), length(x_BTd), recordsGradient),
        shared);
  }

  private static int length(NDArray x_BTd) {
    return Math.toIntExact(x_BTd.getShape().get(1));
  }

  /**
   * Runs what the last position depends on, and nothing else: at each level only the rows that the
   * levels above it reach back to, and in the last layer a single query. Equals the last position
   * of {@link #hidden}, records no gradient.
   *
   * @param embedded_BTd token embeddings; they stay open
   * @return the last position's residual stream [B, d] before the final LayerNorm
   */
  public NDArray lastHidden(NDArray embedded_BTd) {
    int length = length(embedded_BTd);
    try (NDManager shared = embedded_BTd.getManager().newSubManager()) {
      LastPositionAttention attention =
          LastPositionAttention.begin(
              config.position(),
              attentionKernels,
              this::positional,
              new Attention.Pass(config.heads(), config.headWidth(), length, false),
              shared);
      NDArray x_BNd = latest(embedded_BTd, attention.reach(blocks.size()));
      for (int level = 0; level < config.position().levels(length); level++) {
        for (Block block : blocks) {
          boolean endsLevel = block.index() == blocks.size() - 1;
          NDArray y_BNd =
              endsLevel
                  ? block.forwardSome(x_BNd, attention, kernels)
                  : block.forward(x_BNd, attention, kernels);
          if (x_BNd != embedded_BTd) {
            x_BNd.close();
          }
          x_BNd = y_BNd;
        }
      }
      try (NDArray x_B1d = x_BNd) {
        return x_B1d.squeeze(1);
      }
    }
  }

  private static NDArray latest(NDArray x_BTd, int positions) {
    long length = x_BTd.getShape().get(1);
    return positions >= length ? x_BTd : x_BTd.get(new NDIndex(":, {}:", length - positions));
  }

  /**
   * The mean negative log-likelihood of targets, with its graph.
   *
   * @param tokens_BT inputs, int64
   * @param targets_BT the token that follows each input, int64
   * @return a scalar in nats
   */
  public NDArray loss(NDArray tokens_BT, NDArray targets_BT) {
    try (NDManager forward = tokens_BT.getManager().newSubManager()) {
      NDArray embedded_BTd = embed(tokens_BT, true);
      embedded_BTd.attach(forward);
      NDArray x_Nd = hidden(embedded_BTd, true).reshape(-1, config.width());
      NDArray loss = kernels.meanNll(x_Nd, finalNorm, wte_Vd, targets_BT.reshape(-1));
      loss.attach(tokens_BT.getManager());
      return loss;
    }
  }

  /**
   * The negative log-likelihood of targets after given positions.
   *
   * @param x_Nd residual streams at those positions, before the final LayerNorm
   * @param targets_N the token that follows each of them, int64
   * @param recordsGradient whether a backward pass will follow
   * @return [N] in nats
   */
  public NDArray nll(NDArray x_Nd, NDArray targets_N, boolean recordsGradient) {
    if (!x_Nd.getShape().equals(new Shape(targets_N.size(), config.width()))) {
      throw new IllegalArgumentException(
          "expected one row of width %d for each of %d targets, found %s"
              .formatted(config.width(), targets_N.size(), x_Nd.getShape()));
    }
    return kernels.nll(x_Nd, finalNorm, wte_Vd, targets_N, recordsGradient);
  }

  /**
   * The logits of the token that follows given positions.
   *
   * @param x_Nd residual streams at those positions, before the final LayerNorm
   * @return [N, V]
   */
  public NDArray logits(NDArray x_Nd) {
    return kernels.logits(x_Nd, finalNorm, wte_Vd);
  }

  /** The scheme's tensors by short name, for each block k the one that it uses. */
  private static Map<String, List<NDArray>> positional(ModelConfig config, Weights weights) {
    Map<String, List<NDArray>> tensors = new HashMap<>();
    for (PositionalParameter parameter :
        config.position().parameters(config.heads(), config.width())) {
      List<NDArray> byBlock =
          IntStream.range(0, config.layers())
              .mapToObj(k -> weights.get(ParameterLayout.positionalName(parameter, k)))
              .toList();
      tensors.put(parameter.name(), byBlock);
    }
    return tensors;
  }

  private NDArray positional(String name, int k) {
    List<NDArray> byBlock = positional.get(name);
    if (byBlock == null) {
      throw new IllegalArgumentException(config.position().label() + " has no tensor " + name);
    }
    return byBlock.get(k);
  }

  @Override
  public void close() {
    kernels.close();
    attentionKernels.close();
  }
}
