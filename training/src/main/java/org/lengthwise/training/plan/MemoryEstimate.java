package org.lengthwise.training.plan;

import java.util.stream.IntStream;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.Kerple;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rotary;
import org.lengthwise.positional.Sandwich;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.T5;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.model.ModelConfig;

/**
 * The tensors of one replica in training, counted from what its kernels keep. What the engine, its
 * libraries and the Java heap take is not part of it.
 *
 * @param model the model's shape
 * @param length T
 * @param sequences how many go through the model at a time
 * @param precision the format of the products
 * @param isGpu whether the replica lives on a GPU, whose fused kernels keep no scores
 */
record MemoryEstimate(
    ModelConfig model, int length, int sequences, Precision precision, boolean isGpu) {
  /** Weight, gradient and two moments of a learnable number. */
  private static final int BYTES_PER_PARAMETER = 4 * Float.BYTES;

  /** The widths d that a block keeps of each position in float32: both LayerNorms' inputs. */
  private static final int STREAMS = 2;

  /**
   * The widths d that a block's projections keep of each position: both normalised inputs, the
   * attended values, and the MLP's hidden width before and after GELU.
   */
  private static final int PROJECTED = 2 + 1 + 8;

  /** The matrices of a block, in squares of its width. */
  private static final int SQUARES = 12;

  /** The logits of a run through the vocabulary, and how many tensors of that size live at once. */
  private static final long LOGITS = 1L << 25;

  private static final int TENSORS_OF_LOGITS = 3;

  /** The numbers of a bucket of gradients, unless a single tensor has more. */
  private static final long BUCKET = 1L << 24;

  /** What FIRE keeps for a pair besides hidden units: five steps from a distance to its share. */
  private static final int STEPS_OF_FIRE = 5;

  /** Weights, gradients and moments. */
  long stateBytes() {
    return model.numParameters() * BYTES_PER_PARAMETER;
  }

  /** What a micro-batch keeps until its backward pass. */
  long activationBytes() {
    int levels = model.position().levels(length);
    return model.layers() * IntStream.range(0, levels).mapToLong(this::layerBytes).sum()
        + sharedBytes();
  }

  /** The head's work between forward and backward pass: some rows' logits, and wte's gradient. */
  long headBytes() {
    long rows = (long) sequences * length * model.vocabulary();
    return Float.BYTES * (TENSORS_OF_LOGITS * Math.min(LOGITS, rows) + embedding())
        + (isHalf() ? product() * embedding() : 0);
  }

  /** A bucket of gradients, and another replica's where it lives on another device. */
  long exchangeBytes() {
    return Float.BYTES * Math.max(BUCKET, embedding()) * (isGpu ? 2 : 1);
  }

  /** The most that lives at the same time. */
  long peakBytes(int numReplicas) {
    long exchange = numReplicas > 1 ? exchangeBytes() : 0;
    return stateBytes() + Math.max(activationBytes() + headBytes(), exchange);
  }

  private long layerBytes(int level) {
    long weights = isHalf() ? product() * SQUARES * model.width() * model.width() : 0;
    return width() * (STREAMS * Float.BYTES + PROJECTED * product()) + weights + attention(level);
  }

  /** What attention keeps in a layer of a level. */
  private long attention(int level) {
    PositionalScheme scheme = model.position();
    if (scheme instanceof RegularGpt regular) {
      return banded(regular.chunk(), regular.dilation(level), !isGpu);
    } else if (scheme instanceof SlidingWindow sliding) {
      return banded(sliding.window(), 1, false);
    } else if (scheme instanceof Fire) {
      long bias = pairs() * (Fire.HIDDEN + STEPS_OF_FIRE);
      return Float.BYTES * bias + (isGpu ? product() * pairs() * model.heads() : 0) + dense(!isGpu);
    } else if (isLearnedByDistance(scheme)) {
      return (isGpu && isHalf() ? product() * pairs() * model.heads() : 0) + dense(!isGpu);
    } else if (scheme instanceof Alibi || scheme instanceof Sandwich) {
      return (isGpu ? product() * pairs() * model.heads() : widths(1)) + dense(false);
    }
    return (scheme instanceof Rotary && !isHalf() ? widths(2) : 0) + dense(false);
  }

  /** A bias that is laid out once for all layers, and its gradient. */
  private long sharedBytes() {
    long all = (long) model.heads() * length * length;
    return isLearnedByDistance(model.position()) ? 2 * Float.BYTES * all : 0;
  }

  /** Every earlier position is a key. A fused kernel keeps queries, keys, values and its result. */
  private long dense(boolean keepsScores) {
    if (!keepsScores) {
      return widths(4);
    }
    long blocks = numBlocks();
    long scores = pairs() * model.heads() * sequences;
    return Float.BYTES * (width() + width() * (blocks + 1) + scores);
  }

  /** Keys and values of a block of positions are paired with those of the block before it. */
  private long banded(long chunk, long dilation, boolean keepsScores) {
    long steps = (length + dilation - 1) / dilation;
    long own = Math.min(chunk, steps);
    long blocks = (steps + own - 1) / own;
    long keys = 2 * blocks - 1; // blocks of keys that all blocks of queries read
    if (!keepsScores) {
      long copied = blocks == 1 ? 0 : width() * (blocks - 1) / blocks;
      return widths(4) + product() * (copied + 4 * copied);
    }
    long scores = (long) sequences * model.heads() * length * own * keys / blocks;
    return Float.BYTES * (width() + 2 * width() * keys / blocks + scores);
  }

  /** The pairs of positions whose scores are made: a block of queries reads up to its own end. */
  private long pairs() {
    return (long) length * length * (numBlocks() + 1) / (2 * numBlocks());
  }

  private long numBlocks() {
    long queries = Attention.queriesAtATime(model.position(), length);
    return (length + queries - 1) / queries;
  }

  private long widths(int count) {
    return count * product() * width();
  }

  /** A number for each position and unit of width. */
  private long width() {
    return (long) model.width() * sequences * length;
  }

  private long embedding() {
    return (long) model.vocabulary() * model.width();
  }

  private long product() {
    return isHalf() ? Short.BYTES : Float.BYTES;
  }

  private boolean isHalf() {
    return precision == Precision.BFLOAT16;
  }

  private static boolean isLearnedByDistance(PositionalScheme scheme) {
    return scheme instanceof Kerple || scheme instanceof T5;
  }
}
