package org.lengthwise.model;

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
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.lengthwise.model.DecoderKernels.Affine;
import org.lengthwise.positional.PositionSample;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.GroupedAttention;
import org.lengthwise.positional.attention.LastPositionAttention;
import org.lengthwise.positional.attention.PositionEmbedding;
import org.lengthwise.positional.attention.Precision;

/**
 * A decoder of the form that its configuration states. Its depth follows the length of each input:
 * all K blocks run at level 0, the same K at level 1, and so on. Executed layer i is block i mod K
 * at level i / K.
 */
public final class Decoder implements LanguageModel {
  private final ModelConfig config;
  private final Attention.Provider attention;
  private final AttentionKernels attentionKernels;
  private final DecoderKernels kernels;
  private final List<DecoderBlock> blocks;
  private final Optional<RecurrentBlock> recurrent;
  private final List<Map<String, NDArray>> positional;
  private final NDArray wte_Ve;
  private final Optional<Affine> projectIn;
  private final Optional<Affine> embeddingNorm;
  private final OutputHead head;
  private final long seed;

  Decoder(ModelConfig config, Weights weights, Precision precision) {
    this(config, weights, precision, Attention::begin);
  }

  /**
   * A decoder with another computation of attention in {@link #hidden}, to compare with.
   *
   * @param config the model's shape
   * @param weights its tensors, which the caller closes
   * @param precision the format of its products
   * @param attention prepares the attention of a pass
   */
  public Decoder(
      ModelConfig config, Weights weights, Precision precision, Attention.Provider attention) {
    this.config = config;
    this.attention = attention;
    this.blocks =
        IntStream.range(0, config.layers())
            .mapToObj(k -> DecoderBlock.of(weights, config, k))
            .toList();
    this.recurrent =
        config.recurrence() instanceof BlockRecurrence
            ? Optional.of(RecurrentBlock.of(weights, config))
            : Optional.empty();
    this.positional = positional(config, weights);
    this.wte_Ve = weights.get("transformer.wte.weight");
    this.projectIn = optional(weights, "transformer.project_in");
    this.embeddingNorm = optional(weights, ParameterLayout.EMBEDDING_NORM);
    this.attentionKernels = new AttentionKernels(weights.device(), precision);
    try {
      this.kernels = new DecoderKernels(config.form(), weights.device(), precision);
    } catch (RuntimeException e) {
      attentionKernels.close();
      throw e;
    }
    this.seed = 0;
    this.head =
        config.isClassifier()
            ? OutputHead.Labels.of(weights, config, kernels)
            : OutputHead.Tokens.of(weights, config, kernels);
  }

  private Decoder(Decoder other, long seed) {
    this.config = other.config;
    this.attention = other.attention;
    this.attentionKernels = other.attentionKernels;
    this.kernels = other.kernels;
    this.blocks = other.blocks;
    this.recurrent = other.recurrent;
    this.positional = other.positional;
    this.wte_Ve = other.wte_Ve;
    this.projectIn = other.projectIn;
    this.embeddingNorm = other.embeddingNorm;
    this.head = other.head;
    this.seed = seed;
  }

  @Override
  public Decoder withPositions(long other) {
    return new Decoder(this, other);
  }

  @Override
  public Optional<PositionSample> positions(int length) {
    return config.position().sample(seed, length);
  }

  private static Optional<Affine> optional(Weights weights, String name) {
    return weights.tensors().containsKey(name + ".weight")
        ? Optional.of(Affine.of(weights, name))
        : Optional.empty();
  }

  @Override
  public ModelConfig config() {
    return config;
  }

  DecoderKernels kernels() {
    return kernels;
  }

  @Override
  public NDArray embed(NDArray tokens_BT, boolean withGradient) {
    return embed(tokens_BT, 0, withGradient);
  }

  /** The embeddings of tokens at the positions from first on. */
  NDArray embed(NDArray tokens_BT, int first, boolean withGradient) {
    int end = first + length(tokens_BT);
    if (end > config.position().lengths().longest()) {
      throw new IllegalArgumentException(
          "%s has %s positions, found %s tokens"
              .formatted(config.position().label(), config.position().lengths().longest(), end));
    }
    NDManager owner = tokens_BT.getManager();
    try (NDManager made = owner.newSubManager()) {
      Optional<PositionEmbedding> positions =
          PositionEmbedding.of(
              config.position(),
              attentionKernels,
              this::positional,
              pass(end, withGradient),
              first,
              made);
      NDArray x_BTd = embed(tokens_BT, positions, withGradient);
      if (embeddingNorm.isPresent()) {
        x_BTd.attach(made);
        x_BTd = kernels.normalise(x_BTd, embeddingNorm.get(), withGradient);
        x_BTd.attach(owner);
      }
      return x_BTd;
    }
  }

  private NDArray embed(
      NDArray tokens_BT, Optional<PositionEmbedding> positions, boolean withGradient) {
    double scale = config.embeddingScale();
    if (projectIn.isPresent()) {
      try (NDArray narrow_BTe = kernels.embed(tokens_BT, wte_Ve, scale, withGradient)) {
        NDArray x_BTd = kernels.linear(narrow_BTe, projectIn.get(), withGradient);
        if (positions.isEmpty()) {
          return x_BTd;
        }
        try (x_BTd) {
          return kernels.addPositions(x_BTd, positions.get(), withGradient);
        }
      }
    }
    return positions
        .map(table -> kernels.embedAt(tokens_BT, wte_Ve, scale, table, withGradient))
        .orElseGet(() -> kernels.embed(tokens_BT, wte_Ve, scale, withGradient));
  }

  @Override
  public NDArray hidden(NDArray embedded_BTd, boolean withGradient) {
    int length = length(embedded_BTd);
    try (NDManager shared = embedded_BTd.getManager().newSubManager()) {
      return hidden(embedded_BTd, length, attention(length, withGradient, shared), withGradient);
    }
  }

  /** Runs the executed layers of a sequence of T positions over some of them: [B, n, d]. */
  NDArray hidden(NDArray embedded_BNd, int length, Attention attention, boolean withGradient) {
    return run(0, config.executedLayers(length), embedded_BNd, attention, withGradient);
  }

  /** Runs the executed layers from first up to end. The input stays open. */
  private NDArray run(
      int first, int end, NDArray embedded_BNd, Attention attention, boolean withGradient) {
    NDArray x_BNd = embedded_BNd;
    for (int i = first; i < end; i++) {
      NDArray y_BNd = forward(i, x_BNd, attention, withGradient);
      if (x_BNd != embedded_BNd) {
        x_BNd.close();
      }
      x_BNd = y_BNd;
    }
    return x_BNd;
  }

  @Override
  public NDArray gradient(NDArray embedded_BTd, UnaryOperator<NDArray> scalar) {
    NDManager owner = embedded_BTd.getManager();
    int length = length(embedded_BTd);
    try (NDManager pass = owner.newSubManager()) {
      Attention attention = attention(length, true, pass);
      Deque<NDArray> inputs = new ArrayDeque<>();
      NDArray x_BTd = embedded_BTd.duplicate();
      x_BTd.attach(pass);
      for (int i = 0; i < config.executedLayers(length); i++) {
        inputs.push(x_BTd);
        x_BTd = forward(i, x_BTd, attention, true); // no input requires a gradient yet
      }
      NDArray gradient_BTd = gradientAt(x_BTd, scalar);
      for (int i = config.executedLayers(length) - 1; i >= 0; i--) {
        int layer = i;
        NDArray above_BTd = gradient_BTd;
        gradient_BTd =
            gradientAt(inputs.pop(), x -> forward(layer, x, attention, true).mul(above_BTd).sum());
        above_BTd.close();
      }
      gradient_BTd.attach(owner);
      return gradient_BTd;
    }
  }

  /** The gradient of a scalar at x. Closes x and all tensors computed from it. */
  static NDArray gradientAt(NDArray x_BTd, UnaryOperator<NDArray> scalar) {
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

  /** Executed layer i: [B, T, d] to [B, T, d]. */
  NDArray forward(int i, NDArray x_BTd, Attention attention, boolean withGradient) {
    if (recurrent.isPresent() && recurrent.get().index() == i) {
      return recurrent.get().forward(x_BTd, attention, kernels, withGradient);
    }
    DecoderBlock block = blocks.get(i % blocks.size());
    int level = i / blocks.size();
    long padding = config.position().reach().padding(level);
    return block.forward(x_BTd, attention, level, padding, kernels, withGradient);
  }

  Attention attention(int length, boolean withGradient, NDManager shared) {
    Attention.Pass pass = pass(length, withGradient);
    Attention own =
        attention.begin(config.position(), attentionKernels, this::positional, pass, shared);
    return GroupedAttention.of(own, attentionKernels, config.keyHeads(), config::numCarried, pass);
  }

  LastPositionAttention lastAttention(int length, boolean withGradient, NDManager shared) {
    Attention.Pass pass = pass(length, withGradient);
    LastPositionAttention own =
        LastPositionAttention.begin(
            config.position(), attentionKernels, this::positional, pass, shared);
    return GroupedAttention.of(own, attentionKernels, config.keyHeads(), config::numCarried, pass);
  }

  private Attention.Pass pass(int length, boolean withGradient) {
    return new Attention.Pass(
        config.heads(),
        config.headWidth(),
        length,
        config.form().causal(),
        withGradient,
        seed,
        Optional.empty());
  }

  private static int length(NDArray x_BTd) {
    return Math.toIntExact(x_BTd.getShape().get(1));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Each level computes only the rows that the next levels depend on. The last layer runs a
   * single query. Blocks up to the one with states compute all positions. A pass with gradients
   * computes all positions, except under RegularGPT.
   */
  @Override
  public NDArray lastHidden(NDArray embedded_BTd, boolean withGradient) {
    if (withGradient && !LastPositionAttention.hasGradients(config.position())) {
      return hidden(embedded_BTd, true).get(new NDIndex(":, -1"));
    }
    try (NDArray x_B1d = lastRow(embedded_BTd, withGradient, NDArray::close)) {
      return x_B1d.squeeze(1);
    }
  }

  @Override
  public List<NDArray> levels(NDArray embedded_BTd) {
    List<NDArray> levels = new ArrayList<>();
    NDArray last_B1d = lastRow(embedded_BTd, false, levels::add);
    levels.add(last_B1d);
    return levels;
  }

  /**
   * Computes the rows of all levels.
   *
   * @param read gets the rows of each level but the last when the next level has read them
   * @return the row of the last level [B, 1, d]
   */
  private NDArray lastRow(NDArray embedded_BTd, boolean withGradient, Consumer<NDArray> read) {
    int length = length(embedded_BTd);
    try (NDManager shared = embedded_BTd.getManager().newSubManager()) {
      int first = recurrent.map(block -> block.index() + 1).orElse(0);
      NDArray x_BNd = embedded_BTd;
      if (first > 0) {
        x_BNd = run(0, first, x_BNd, attention(length, withGradient, shared), withGradient);
      }
      List<DecoderBlock> above = blocks.subList(first, blocks.size());
      if (above.isEmpty()) {
        try (NDArray x_BTd = x_BNd) {
          return x_BTd.get(new NDIndex(":, -1:"));
        }
      }
      LastPositionAttention attention = lastAttention(length, withGradient, shared);
      NDArray below_BTd = x_BNd;
      long start = 0; // the position of the first row
      for (int level = 0; level < config.position().reach().levels(length); level++) {
        for (DecoderBlock block : above) {
          long needed = config.position().reach().firstRow(block.index(), blocks.size(), length);
          if (needed > start) {
            NDArray later_BNd = x_BNd.get(new NDIndex(":, {}:", needed - start));
            if (x_BNd != embedded_BTd) {
              x_BNd.close();
            }
            x_BNd = later_BNd;
            start = needed;
          }
          boolean endsLevel = block.index() == blocks.size() - 1;
          NDArray y_BNd =
              endsLevel
                  ? block.forwardStrided(x_BNd, attention, kernels, withGradient)
                  : block.forward(
                      x_BNd,
                      attention,
                      config.position().reach().padding(0),
                      kernels,
                      withGradient);
          if (level > 0 && block.index() == 0) {
            read.accept(x_BNd);
          } else if (x_BNd != embedded_BTd) {
            x_BNd.close();
          }
          x_BNd = y_BNd;
        }
      }
      if (below_BTd != embedded_BTd) {
        below_BTd.close();
      }
      return x_BNd;
    }
  }

  @Override
  public NDArray loss(NDArray tokens_BT, NDArray targets_BT) {
    return loss(tokens_BT, targets_BT, embedded_BTd -> hidden(embedded_BTd, true));
  }

  /** The loss after layers that the caller runs. */
  NDArray loss(NDArray tokens_BT, NDArray targets_BT, UnaryOperator<NDArray> layers) {
    try (NDManager forward = tokens_BT.getManager().newSubManager()) {
      NDArray embedded_BTd = embed(tokens_BT, true);
      embedded_BTd.attach(forward);
      NDArray x_Nd = layers.apply(embedded_BTd).reshape(-1, config.width());
      NDArray loss = head.meanNll(x_Nd, targets_BT.reshape(-1));
      loss.attach(tokens_BT.getManager());
      return loss;
    }
  }

  @Override
  public NDArray nll(NDArray x_Nd, NDArray targets_N, boolean withGradient) {
    if (!x_Nd.getShape().equals(new Shape(targets_N.size(), config.width()))) {
      throw new IllegalArgumentException(
          "expected one row of width %s for each of %s targets, found %s"
              .formatted(config.width(), targets_N.size(), x_Nd.getShape()));
    }
    return head.nll(x_Nd, targets_N, withGradient);
  }

  @Override
  public NDArray logits(NDArray x_Nd) {
    return head.logits(x_Nd);
  }

  @Override
  public TextState begin(NDManager manager, int context, int pinned) {
    return recurrent.isPresent() && config.hasBoundedState()
        ? new BlockRecurrentText(this, recurrent.get(), manager)
        : new CachedText(this, manager, context, pinned);
  }

  /** The scheme's tensors by block and short name; blocks may share a tensor. */
  private static List<Map<String, NDArray>> positional(ModelConfig config, Weights weights) {
    List<Map<String, NDArray>> tensors = new ArrayList<>();
    for (int k = 0; k < config.layers(); k++) {
      Map<String, NDArray> own = new HashMap<>();
      for (PositionalParameter parameter :
          config.position().parameters(config.heads(), config.positionalWidth())) {
        if (parameter.blocks().contain(k)) {
          own.put(parameter.name(), weights.get(ParameterLayout.positionalName(parameter, k)));
        }
      }
      tensors.add(own);
    }
    return tensors;
  }

  private NDArray positional(String name, int k) {
    NDArray tensor = positional.get(k).get(name);
    if (tensor == null) {
      throw new IllegalArgumentException(
          "block %s of %s has no tensor %s".formatted(k, config.position().label(), name));
    }
    return tensor;
  }

  @Override
  public void close() {
    kernels.close();
    attentionKernels.close();
  }
}
