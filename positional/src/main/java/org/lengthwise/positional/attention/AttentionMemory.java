package org.lengthwise.positional.attention;

import org.lengthwise.positional.AttentionForm;
import org.lengthwise.positional.DistanceBias;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.Formula;
import org.lengthwise.positional.LayerWindow;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Randomized;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rotary;
import org.lengthwise.positional.RowScheme;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.Tempered;
import org.lengthwise.positional.TransformerXl;

/**
 * The memory that attention keeps between the forward and the backward pass. Each form of attention
 * states its own; this record holds the quantities that the forms share.
 *
 * @param sequences B
 * @param isGpu whether the device is a GPU, whose fused kernels keep no scores
 */
public record AttentionMemory(
    int heads, int width, int length, int sequences, Precision precision, boolean isGpu) {

  /**
   * Memory in bytes.
   *
   * @param layerBytes what each layer of a level keeps
   * @param sharedBytes what is kept once for all layers
   */
  public record Kept(long layerBytes, long sharedBytes) {}

  /** {@return the memory that a scheme's attention keeps, in bytes} */
  public Kept kept(PositionalScheme scheme, int block, int level) {
    return scheme.accept(new ByForm(this, block, level));
  }

  /** Vectors of width d, one for each position, in the format of the products. */
  long vectorBytes(int vectors) {
    return (long) vectors * precision.bytes() * numbers();
  }

  /** A bias of all computed pairs and heads, in the format of the products. */
  long biasBytes(int queries) {
    return precision.bytes() * numPairs(queries) * heads;
  }

  /** A fused kernel keeps queries, keys, values and its result. */
  long fusedBytes() {
    return vectorBytes(4);
  }

  /**
   * Attention over all earlier positions that keeps its scores, in float32, by queries in a block.
   */
  long scoreBytes(int queries) {
    long scores = numPairs(queries) * heads * sequences;
    return Float.BYTES * (numbers() + numbers() * (numBlocks(queries) + 1) + scores);
  }

  /** The pairs of positions with a score: a block of queries reads the keys up to its own end. */
  long numPairs(int queries) {
    long blocks = numBlocks(queries);
    return (long) length * length * (blocks + 1) / (2 * blocks);
  }

  private long numBlocks(int queries) {
    return ((long) length + queries - 1) / queries;
  }

  /**
   * Sliding-dilated attention. Keys and values of each block of positions are copied next to those
   * of the block before it.
   *
   * @param window the keys of a query
   * @param dilation the distance between neighbouring keys
   * @param keepsScores whether scores are kept, in float32
   */
  long bandedBytes(long window, long dilation, boolean keepsScores) {
    long steps = (length + dilation - 1) / dilation;
    long own = Math.min(window, steps);
    long blocks = (steps + own - 1) / own;
    long keys = 2 * blocks - 1; // blocks of keys that all blocks of queries read
    if (!keepsScores) {
      long copied = blocks == 1 ? 0 : numbers() * (blocks - 1) / blocks;
      return fusedBytes() + precision.bytes() * (copied + 4 * copied);
    }
    long scores = (long) sequences * heads * length * own * keys / blocks;
    return Float.BYTES * (numbers() + 2 * numbers() * keys / blocks + scores);
  }

  /** Attention to a window without learnable numbers. Chunks are sequences, the last one padded. */
  long windowBytes(LayerWindow window) {
    if (!window.chunks()) {
      return bandedBytes(window.positions(), 1, false);
    }
    long chunk = Math.min(window.positions(), length);
    long padded = (length + chunk - 1) / chunk * chunk;
    return (vectorBytes(1) + fusedBytes()) * padded / length;
  }

  boolean isBf16() {
    return precision == Precision.BFLOAT16;
  }

  private long numbers() {
    return (long) width * sequences * length;
  }

  private record ByForm(AttentionMemory memory, int block, int level)
      implements AttentionForm<Kept> {
    @Override
    public Kept noBias(PositionalScheme scheme) {
      return UnbiasedAttention.kept(memory);
    }

    @Override
    public Kept byDistance(DistanceBias scheme) {
      return BiasedAttention.kept(scheme, memory);
    }

    @Override
    public Kept window(SlidingWindow scheme) {
      return WindowAttention.kept(scheme, memory);
    }

    @Override
    public Kept rotary(Rotary scheme) {
      return scheme
          .layerWindow()
          .map(window -> RotaryWindowAttention.kept(window, memory))
          .orElseGet(() -> RotaryAttention.kept(memory));
    }

    @Override
    public Kept byQuery(Fire scheme) {
      return FireAttention.kept(memory);
    }

    @Override
    public Kept byContent(TransformerXl scheme) {
      return ContentAttention.kept(memory);
    }

    @Override
    public Kept dilated(RegularGpt scheme) {
      return DilatedAttention.kept(scheme, level, memory);
    }

    @Override
    public Kept formula(Formula scheme) {
      return FormulaAttention.kept(scheme, memory);
    }

    @Override
    public Kept layers(Layers scheme) {
      return scheme.part(block).accept(this);
    }

    @Override
    public Kept byRows(RowScheme scheme) {
      return RowAttention.kept(scheme, memory);
    }

    @Override
    public Kept recurrent(Linear scheme) {
      return LinearAttention.kept(scheme, memory);
    }

    @Override
    public Kept sampled(Randomized scheme) {
      return scheme.part(block).accept(this);
    }

    @Override
    public Kept tempered(Tempered scheme) {
      return TemperedAttention.kept(scheme, memory, scheme.of().accept(this));
    }
  }
}
