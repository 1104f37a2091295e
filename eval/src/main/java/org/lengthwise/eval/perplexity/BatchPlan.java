package org.lengthwise.eval.perplexity;

import org.lengthwise.training.model.ModelConfig;

/**
 * How many sequences go through a model at a time, so that what one layer holds stays within a
 * limit. Inference releases layer by layer, so it is one layer, or the logits of the last tokens
 * and their probabilities; the logits of many positions are made in parts.
 */
final class BatchPlan {
  /**
   * Floats for each position and unit of width that are alive at the widest moment of a layer: the
   * stream and its successor (2), qkv and its head-wise copy (6), keys and values paired with the
   * block before (4), the attended values twice (2), or the MLP's hidden layer before and after
   * GELU (8).
   */
  private static final int FLOATS_PER_UNIT = 16;

  private static final long BYTES_PER_MEGABYTE = 1L << 20;

  private BatchPlan() {}

  /**
   * The number of sequences.
   *
   * @param model the model's shape
   * @param windows the positions of each sequence, and how many of them are scored
   * @param limitMegabytes what a layer may take
   * @return B, at least 1 even where one sequence exceeds the limit
   */
  static int sequences(ModelConfig model, ScoredWindows windows, int limitMegabytes) {
    long length = windows.length() - 1L;
    long rows = length;
    if (windows.scored() == 1) { // of the others, embeddings alone are made
      rows = model.position().receptiveField(model.layers(), length);
    }
    long layer = (FLOATS_PER_UNIT * rows + (length - rows)) * model.width();
    long bytes = Float.BYTES * Math.max(layer, 2L * model.vocabulary());
    long limit = limitMegabytes * BYTES_PER_MEGABYTE;
    return (int) Math.max(1, Math.min(1024, limit / bytes));
  }

  /**
   * How many rows of logits are made at a time where many positions of a sequence are scored.
   *
   * @param model the model's shape
   * @param limitMegabytes what the logits and their probabilities may take
   * @return rows, at least 1
   */
  static int rows(ModelConfig model, int limitMegabytes) {
    long bytes = 2L * Float.BYTES * model.vocabulary();
    return (int) Math.max(1, Math.min(1 << 20, limitMegabytes * BYTES_PER_MEGABYTE / bytes));
  }
}
