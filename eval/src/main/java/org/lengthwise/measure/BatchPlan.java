package org.lengthwise.measure;

import ai.djl.Device;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.util.cuda.CudaUtils;
import java.lang.management.MemoryUsage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.Cost;
import org.lengthwise.positional.attention.AttentionMemory;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.progress.Allocation;

/**
 * The number of sequences in a batch, so that activations stay within a memory limit. Estimates
 * count floats for each position and unit of width. A batch has at least one sequence, even if that
 * sequence exceeds the limit.
 *
 * @param limitMegabytes the limit in units of 2^20 bytes, at least 1
 */
public record BatchPlan(ModelConfig model, int limitMegabytes, boolean isGpu) {
  /**
   * Floats that are alive at the widest moment of a layer without a gradient: the stream and its
   * successor (2), qkv and its head-wise copy (6), keys and values paired with the previous block
   * (4), the attended values twice (2), or the MLP's hidden layer before and after GELU (8).
   */
  private static final int FORWARD_FLOATS = 16;

  /**
   * Floats that a layer keeps for its backward pass: the stream (2), its two normalised forms (2),
   * qkv and its head-wise copy (6), keys and values paired with the previous block (4), the
   * attended values (2), and the MLP's hidden layer before and after GELU (8).
   */
  private static final int BACKWARD_FLOATS = 24;

  /**
   * Floats that the gradient keeps for each position of a row, if there are several: the input of
   * the row, what the row carries, and the gradient there.
   */
  private static final int ROW_FLOATS = 3;

  /** The environment variable with the number of processes of a queue that share a GPU. */
  public static final String GPU_SHARES = "LENGTHWISE_GPU_SHARES";

  /**
   * A scheme with numbers of all pairs computes them for a block of queries at a time. More
   * sequences than leave room for this many queries in a block make a pass slower.
   */
  private static final int LEAST_QUERIES = 32;

  private static final int MOST_SEQUENCES = 1024;
  private static final long BYTES_PER_MEGABYTE = 1L << 20;

  /**
   * {@return the plan for a device}
   *
   * @param limitMegabytes the configured limit; 0 for a share of the GPU's free memory. On a CPU at
   *     most a quarter of the memory of this process
   * @param device the device, which holds the weights already
   */
  public static BatchPlan on(ModelConfig model, int limitMegabytes, Device device) {
    if (device.isGpu()) {
      return new BatchPlan(
          model,
          limitMegabytes > 0
              ? limitMegabytes
              : limitMegabytes(freeMemory(device), System.getenv(GPU_SHARES)),
          true);
    }
    return new BatchPlan(model, Math.min(limitMegabytes, Allocation.current().quarterMegabytes()));
  }

  /** The plan for a CPU. */
  public BatchPlan(ModelConfig model, int limitMegabytes) {
    this(model, limitMegabytes, false);
  }

  /**
   * {@return half of the free memory, in units of 2^20 bytes} Activations and logits have this
   * limit each, and exist together.
   *
   * @param shares the processes that divide this memory, or null for one
   */
  static int limitMegabytes(long freeBytes, @Nullable String shares) {
    long bytes = freeBytes / 2 / (shares == null ? 1 : Long.parseLong(shares));
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / BYTES_PER_MEGABYTE));
  }

  /** The memory of a GPU that no process uses. The engine returns what it keeps for later. */
  private static long freeMemory(Device gpu) {
    JniUtils.emptyCudaCache();
    MemoryUsage memory = CudaUtils.getGpuMemory(gpu);
    return memory.getMax() - memory.getUsed();
  }

  /**
   * {@return B, the batch size without gradients, from 1 to 1,024} Memory holds one layer at a
   * time, or the logits of one position of each sequence and their probabilities. Many logits are
   * computed in parts, see {@link #rowsOfLogits()}.
   *
   * @param positions the positions that the model reads of each sequence
   * @param lastOnly whether only the last position is needed; then layers compute its receptive
   *     field only, and all other positions have embeddings only. A recurrence computes whole rows,
   *     one at a time
   */
  public int forwardSequences(int positions, boolean lastOnly) {
    long rows = lastOnly ? model.positionsForLast(positions) : model.rowLength(positions);
    long streams = lastOnly ? 1 : 3; // embeddings; the results of rows, one by one and joined
    long layer =
        (FORWARD_FLOATS * rows + streams * (positions - rows)) * width() + recurrentFloats(rows);
    return fitting(Math.max(layer, 2L * model.vocabulary()), mostSequences(rows));
  }

  /**
   * {@return B, the batch size with gradients, from 1 to 64} Memory holds the input of each
   * executed layer, and all of one layer, with what its scheme keeps of each pair of positions.
   *
   * @param positions T, the positions of each sequence
   */
  public int backwardSequences(int positions) {
    long row = model.rowLength(positions);
    long rows = model.fullRows(positions);
    long layers = model.executedLayers(positions);
    long floats = (BACKWARD_FLOATS + layers) * row;
    if (rows > 1) {
      floats += ROW_FLOATS * rows * row;
    }
    long pairs = row * (row + 1) / 2;
    return fitting(
        floats * width()
            + pairs * model.position().cost(model.heads()).numbersOfPair()
            + recurrentFloats(row),
        64);
  }

  /** What the linear recurrence of a layer computes, at most what it would keep for a gradient. */
  private long recurrentFloats(long positions) {
    AttentionMemory one =
        new AttentionMemory(
            model.heads(), model.width(), Math.toIntExact(positions), 1, Precision.FLOAT32, false);
    return IntStream.range(0, model.layers())
        .filter(k -> model.linear(k).isPresent())
        .mapToLong(k -> one.kept(model.position(), k, 0).layerBytes() / Float.BYTES)
        .max()
        .orElse(0);
  }

  /**
   * {@return how many rows of logits are computed together with their probabilities, up to 2^20}
   */
  public int rowsOfLogits() {
    return fitting(2L * model.vocabulary(), 1 << 20);
  }

  /** The most sequences of a batch, each with rows that attend to each other. */
  private int mostSequences(long rows) {
    long pairs = LEAST_QUERIES * rows * model.position().cost(model.heads()).numbersOfPair();
    long blocks = Cost.numbersOfBlock(isGpu) / Math.max(1, pairs);
    return (int) Math.max(1, Math.min(MOST_SEQUENCES, blocks));
  }

  /** The width of a GPT-2 whose layers hold as many numbers. */
  private long width() {
    long inner = (model.form().mlp().gated() ? 3L : 2L) * model.mlpWidth();
    return Math.max(Math.max(model.width(), model.attentionWidth()), (inner + 7) / 8);
  }

  private int fitting(long floats, int most) {
    long count = limitMegabytes * BYTES_PER_MEGABYTE / (Float.BYTES * floats);
    return (int) Math.max(1, Math.min(most, count));
  }
}
