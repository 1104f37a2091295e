package org.lengthwise.model;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.training.GradientCollector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.GroupedAttention;
import org.lengthwise.positional.attention.LastPositionAttention;
import org.lengthwise.positional.attention.LayerStates;
import org.lengthwise.positional.attention.WatchedAttention;

/**
 * The executed layers of a decoder. Their number follows the length of each input: all K blocks run
 * at level 0, the same K at level 1, and so on, unless each level has blocks of its own. Executed
 * layer i is block i mod K.
 *
 * @param recurrent the block with states, if there is one
 * @param provider prepares the attention of a pass
 * @param seed decides the positions that the scheme draws
 * @param states what linear recurrences carry from pass to pass; empty if they begin at 0
 */
record DecoderLayers(
    ModelConfig config,
    List<DecoderBlock> blocks,
    Optional<RecurrentBlock> recurrent,
    SchemeTensors tensors,
    Attention.Provider provider,
    AttentionKernels attentionKernels,
    DecoderKernels kernels,
    long seed,
    Optional<LayerStates> states)
    implements AutoCloseable {

  static DecoderLayers of(
      Weights weights,
      ModelConfig config,
      Attention.Provider provider,
      AttentionKernels attentionKernels,
      DecoderKernels kernels) {
    return new DecoderLayers(
        config,
        IntStream.range(0, config.layers())
            .mapToObj(k -> DecoderBlock.of(weights, config, k))
            .toList(),
        config.recurrence() instanceof BlockRecurrence
            ? Optional.of(RecurrentBlock.of(weights, config))
            : Optional.empty(),
        SchemeTensors.of(weights, config),
        provider,
        attentionKernels,
        kernels,
        0,
        Optional.empty());
  }

  DecoderLayers withGradient() {
    return with(provider, attentionKernels.withGradient(), kernels.withGradient(), seed, states);
  }

  DecoderLayers withPositions(long other) {
    return with(provider, attentionKernels, kernels, other, states);
  }

  DecoderLayers with(Dropout masks) {
    return with(provider, attentionKernels, kernels.withDropout(masks), seed, states);
  }

  DecoderLayers attending(Attention.Provider other) {
    return with(other, attentionKernels, kernels, seed, states);
  }

  DecoderLayers watched(Consumer<WatchedAttention.Weights> report) {
    Attention.Provider watching = WatchedAttention.of(provider, report);
    return with(watching, attentionKernels, kernels, seed, states);
  }

  /** Layers whose linear recurrences begin with states, and leave them for the next pass. */
  DecoderLayers withStates(LayerStates carried) {
    return with(provider, attentionKernels, kernels, seed, Optional.of(carried));
  }

  private DecoderLayers with(
      Attention.Provider begins,
      AttentionKernels attention,
      DecoderKernels others,
      long positions,
      Optional<LayerStates> carried) {
    return new DecoderLayers(
        config, blocks, recurrent, tensors, begins, attention, others, positions, carried);
  }

  private PositionalScheme scheme() {
    return config.position();
  }

  /** [B, T, d] to [B, T, d]. The input stays open. */
  NDArray run(NDArray embedded_BTd) {
    int length = length(embedded_BTd);
    try (NDManager shared = embedded_BTd.getManager().newSubManager()) {
      return run(embedded_BTd, length, attention(length, shared));
    }
  }

  /** Runs the layers of a sequence of T positions over some of them: [B, n, d]. */
  NDArray run(NDArray embedded_BNd, int length, Attention attention) {
    return run(config.executedLayers(length), embedded_BNd, attention);
  }

  private NDArray run(int numLayers, NDArray embedded_BNd, Attention attention) {
    NDArray x_BNd = embedded_BNd;
    for (int i = 0; i < numLayers; i++) {
      NDArray y_BNd = forward(i, x_BNd, attention);
      if (x_BNd != embedded_BNd) {
        x_BNd.close();
      }
      x_BNd = y_BNd;
    }
    return x_BNd;
  }

  /** Executed layer i: [B, T, d] to [B, T, d]. */
  NDArray forward(int i, NDArray x_BTd, Attention attention) {
    if (recurrent.isPresent() && recurrent.get().index() == i) {
      return recurrent.get().forward(x_BTd, attention, kernels);
    }
    int level = i / config.blocksOfLevel();
    long padding = scheme().reach().padding(level);
    return blocks.get(i % blocks.size()).forward(x_BTd, attention, level, padding, kernels);
  }

  /** Attention of all positions of a sequence. */
  Attention attention(int length, NDManager shared) {
    Attention.Pass pass = pass(length);
    Attention own = provider.begin(scheme(), attentionKernels, tensors, pass, shared);
    return GroupedAttention.of(own, attentionKernels, config.keyHeads(), config::numCarried, pass);
  }

  /** Attention of the rows that the last position of a sequence depends on. */
  LastPositionAttention lastAttention(int length, NDManager shared) {
    Attention.Pass pass = pass(length);
    LastPositionAttention own =
        LastPositionAttention.begin(scheme(), attentionKernels, tensors, pass, shared);
    return GroupedAttention.of(own, attentionKernels, config.keyHeads(), config::numCarried, pass);
  }

  Attention.Pass pass(int length) {
    return new Attention.Pass(
        config.heads(),
        config.headWidth(),
        length,
        config.form().causal(),
        seed,
        Optional.empty(),
        states);
  }

  private static int length(NDArray x_BTd) {
    return Math.toIntExact(x_BTd.getShape().get(1));
  }

  /**
   * The gradient at the embeddings of a scalar of the hidden states: [B, T, d]. Each layer's
   * forward pass runs a second time, right before its backward pass.
   */
  NDArray gradient(NDArray embedded_BTd, UnaryOperator<NDArray> scalar) {
    NDManager owner = embedded_BTd.getManager();
    int length = length(embedded_BTd);
    try (NDManager pass = owner.newSubManager()) {
      Attention attention = attention(length, pass);
      Deque<NDArray> inputs = new ArrayDeque<>();
      NDArray x_BTd = embedded_BTd.duplicate();
      x_BTd.attach(pass);
      for (int i = 0; i < config.executedLayers(length); i++) {
        inputs.push(x_BTd);
        x_BTd = forward(i, x_BTd, attention); // no input requires a gradient yet
      }
      NDArray gradient_BTd = gradientAt(x_BTd, scalar);
      for (int i = config.executedLayers(length) - 1; i >= 0; i--) {
        int layer = i;
        NDArray above_BTd = gradient_BTd;
        gradient_BTd =
            gradientAt(inputs.pop(), x -> forward(layer, x, attention).mul(above_BTd).sum());
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

  /**
   * The last position [B, 1, d]. Each level computes only the rows that the next levels depend on,
   * and the last layer runs a single query. Blocks up to the one with states compute all positions.
   *
   * @param read gets the rows of each level but the last when the next level has read them
   */
  NDArray last(NDArray embedded_BTd, Consumer<NDArray> read) {
    int length = length(embedded_BTd);
    try (NDManager shared = embedded_BTd.getManager().newSubManager()) {
      int first = recurrent.map(block -> block.index() + 1).orElse(0);
      NDArray x_BNd = embedded_BTd;
      if (first > 0) {
        x_BNd = run(first, x_BNd, attention(length, shared));
      }
      List<DecoderBlock> above = blocks.subList(first, blocks.size());
      if (above.isEmpty()) {
        try (NDArray x_BTd = x_BNd) {
          return x_BTd.get(new NDIndex(":, -1:"));
        }
      }
      LastPositionAttention attention = lastAttention(length, shared);
      NDArray below_BTd = x_BNd;
      long start = 0; // the position of the first row
      for (int level = 0; level < scheme().reach().levels(length); level++) {
        int perLevel = scheme().reach().blocksOfLevel(above.size());
        for (int i = 0; i < perLevel; i++) {
          DecoderBlock block = above.get((level * perLevel + i) % above.size());
          long needed = scheme().reach().firstRow(block.index(), blocks.size(), length);
          if (needed > start) {
            NDArray later_BNd = x_BNd.get(new NDIndex(":, {}:", needed - start));
            if (x_BNd != embedded_BTd) {
              x_BNd.close();
            }
            x_BNd = later_BNd;
            start = needed;
          }
          NDArray y_BNd = forward(block, i == perLevel - 1, x_BNd, attention);
          if (level > 0 && i == 0) {
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
      if (x_BNd.getShape().get(1) == 1) {
        return x_BNd;
      }
      try (NDArray x_BTd = x_BNd) { // a fixed depth and a recurrence leave more rows
        return x_BTd.get(new NDIndex(":, -1:"));
      }
    }
  }

  /** A block over the rows of a level; the last block keeps those that the next level needs. */
  private NDArray forward(
      DecoderBlock block, boolean isLast, NDArray x_BNd, LastPositionAttention attention) {
    return isLast && config.linear(block.index()).isEmpty()
        ? block.forwardStrided(x_BNd, attention, kernels)
        : block.forward(
            x_BNd,
            (qkv_BNf, k, level) -> attention.attend(qkv_BNf, k),
            0,
            scheme().reach().padding(0),
            kernels);
  }

  @Override
  public void close() {
    kernels.close();
    attentionKernels.close();
  }
}
