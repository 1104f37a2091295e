package org.lengthwise.training.plan;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.NormForm;
import org.lengthwise.model.Recurrence;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.AttentionMemory;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.training.replica.ReplicaGroup;

/**
 * The memory of one replica's tensors in training, counted from what its kernels keep. The memory
 * of the engine, its libraries and the Java heap is not included.
 *
 * @param length T
 * @param sequences B, the sequences of a micro-batch
 * @param trained the learnable numbers that are not frozen
 * @param isGpu whether the replica runs on a GPU, whose fused kernels keep no scores
 */
record MemoryEstimate(
    ModelConfig model, int length, int sequences, Numerics numerics, long trained, boolean isGpu) {
  /** Gradient and two moments of a trained number. */
  private static final int BYTES_PER_TRAINED = 3 * Float.BYTES;

  /** Vectors of width d that a block keeps of each position of its stream: both norms' inputs. */
  private static final int STREAMS = 2;

  /** The same under RMSNorm, in float32: it also keeps x divided by its root mean square. */
  private static final int STREAMS_OF_RMS = 4;

  /**
   * Vectors of width d that the last block of a level keeps of each key: its row, key and value.
   */
  private static final int KEYS = 3;

  /**
   * Vectors of width d that a recurrent network keeps of each position and sum: its input, the
   * state by itself and among all states, and a gradient.
   */
  private static final int STATES = 4;

  long stateBytes() {
    return model.numParameters() * Float.BYTES + trained * BYTES_PER_TRAINED;
  }

  /** The memory that a micro-batch keeps until its backward pass. */
  long activationBytes() {
    if (model.kind().isNetwork()) {
      return (long) STATES * model.kind().sums() * model.width() * sequences * length * Float.BYTES;
    }
    long extra = Float.BYTES * model.recurrence().extraVectors(length) * model.width() * sequences;
    long rows = model.fullRows(length);
    if (rows > 1) {
      int row = model.rowLength(length);
      return rows * of(model.with(Recurrence.none()), row).activationBytes() + extra;
    }
    int levels = model.position().reach().levels(length);
    return IntStream.range(0, levels).mapToLong(this::levelBytes).sum() + sharedBytes() + extra;
  }

  private MemoryEstimate of(ModelConfig other, int positions) {
    return new MemoryEstimate(other, positions, sequences, numerics, trained, isGpu);
  }

  /** A level of all blocks. The last one has the queries of the next level only. */
  private long levelBytes(int level) {
    long rows = model.rows(level, length);
    long next = model.rows(level + 1, length);
    if (next == rows) {
      return IntStream.range(0, model.blocksOfLevel()).mapToLong(k -> layerBytes(k, level)).sum();
    }
    long width = model.width();
    MemoryEstimate adjacent = of(model, Math.toIntExact(rows));
    long numbers = KEYS * width * rows + ((streams() + 1) * width + projected()) * next;
    return (model.blocksOfLevel() - 1) * adjacent.layerBytes(0, 0)
        + numbers * sequences * Float.BYTES;
  }

  private long streams() {
    return model.form().norms().kind() == NormForm.Kind.RMS ? STREAMS_OF_RMS : STREAMS;
  }

  private long streamBytes() {
    boolean isWide = model.form().norms().kind() == NormForm.Kind.RMS;
    return isWide ? Float.BYTES : numerics.residual().bytes();
  }

  /**
   * The numbers that a block's projections keep of each position: both normalised inputs, the
   * attended values, and the MLP's inner width before and after the activation. A gate adds its own
   * inner width, and the product with it.
   */
  private long projected() {
    long inner = (model.form().mlp().gated() ? 4L : 2L) * model.mlpWidth();
    return 2L * model.width() + model.attentionWidth() + inner;
  }

  /**
   * The work of the output head: some rows of logits in the format of the products, and wte's
   * gradient. A logit, its probability and its gradient are one number. If products are in
   * bfloat16, a copy of wte exists in this format.
   */
  long headBytes() {
    return logits() * productBytes()
        + embedding() * (Float.BYTES + (isBf16() ? productBytes() : 0));
  }

  /** The logits that exist together. */
  private long logits() {
    long all =
        (long) sequences
            * (model.isClassifier() ? model.labels() : (long) length * model.vocabulary());
    return Math.min(LanguageModel.mostLogits(isGpu), all);
  }

  long exchangeBytes() {
    return Float.BYTES * Math.max(ReplicaGroup.bucket(isGpu), embedding()) * (isGpu ? 2 : 1);
  }

  /** The largest sum of tensors that exist at the same time. */
  long peakBytes(int numReplicas) {
    long exchange = numReplicas > 1 ? exchangeBytes() : 0;
    long validation = 2L * Float.BYTES * logits(); // with their probabilities
    return stateBytes() + Math.max(Math.max(activationBytes() + headBytes(), validation), exchange);
  }

  private long layerBytes(int block, int level) {
    long positions = (long) sequences * length;
    long weights = isBf16() ? productBytes() * model.numBlockParameters(block) : 0;
    return positions * (streams() * model.width() * streamBytes() + projected() * productBytes())
        + weights
        + attention(block, level).layerBytes();
  }

  /** What blocks of the same scheme share, for each of these schemes. */
  private long sharedBytes() {
    Set<PositionalScheme> counted = new HashSet<>();
    return IntStream.range(0, model.layers())
        .filter(k -> counted.add(model.position().inBlock(k)))
        .mapToLong(k -> attention(k, 0).sharedBytes())
        .sum();
  }

  private AttentionMemory.Kept attention(int block, int level) {
    return new AttentionMemory(
            model.heads(), model.attentionWidth(), length, sequences, numerics.precision(), isGpu)
        .kept(model.position(), block, level);
  }

  private long embedding() {
    return (long) model.vocabulary() * model.tokenWidth();
  }

  private long productBytes() {
    return numerics.precision().bytes();
  }

  private boolean isBf16() {
    return numerics.isBf16();
  }
}
