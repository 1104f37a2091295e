package org.lengthwise.eval.receptivefield;

import org.lengthwise.training.model.ModelConfig;

/**
 * How many chunks go through a model at a time, so that what a pass keeps for its backward pass
 * stays within a limit: the input of each executed layer, and all of one layer.
 */
final class ProbePlan {
  /**
   * Floats that a layer keeps for each position and unit of width: the stream (2), its two
   * normalised forms (2), qkv and its head-wise copy (6), keys and values paired with the block
   * before (4), the attended values (2), and the MLP's hidden layer before and after GELU (8).
   */
  private static final int FLOATS_PER_UNIT = 24;

  private static final long BYTES_PER_MEGABYTE = 1L << 20;

  private ProbePlan() {}

  /**
   * The number of chunks.
   *
   * @param model the model's shape
   * @param length T
   * @param limitMegabytes what a pass may keep
   * @return B, at least 1 even where one chunk exceeds the limit
   */
  static int chunks(ModelConfig model, int length, int limitMegabytes) {
    long layers = model.executedLayers(length);
    long bytes = Float.BYTES * (FLOATS_PER_UNIT + layers) * length * model.width();
    return (int) Math.max(1, Math.min(64, limitMegabytes * BYTES_PER_MEGABYTE / bytes));
  }
}
