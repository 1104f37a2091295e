package org.lengthwise.measure.perplexity;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.measure.BatchPlan;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.Pieces;
import org.lengthwise.positional.attention.LayerStates;

/**
 * Scores the last tokens of windows. With one target per window, only the last position and its
 * receptive field are computed. With several targets, all positions run, and logits are computed in
 * parts that fit the memory limit. A model of linear recurrences reads a window in pieces, so its
 * memory grows with the positions that are scored only. If the model was trained on documents that
 * begin with BOS, it reads BOS at the place of the oldest token of each window, which is never a
 * target.
 *
 * @param manager the parent of the managers of each pass, on the model's device
 * @param bos the token that begins each window; empty if the windows are read as they are
 */
record WindowEvaluator(
    LanguageModel model,
    NDManager manager,
    BatchPlan plan,
    Optional<Integer> bos,
    int rowsOfLogits) {
  WindowEvaluator(LanguageModel model, NDManager manager, BatchPlan plan, Optional<Integer> bos) {
    this(model, manager, plan, bos, plan.rowsOfLogits());
  }

  /**
   * {@return the negative log-likelihood of each target in nats, window by window}
   *
   * @param done gets the number of windows scored so far, after each batch
   */
  double[] score(TokenStream stream, ScoredWindows windows, LongConsumer done) {
    double[] nlls = new double[windows.numTargets()];
    int positions = windows.length() - 1;
    if (readsPieces(positions)) {
      positions = Math.min(positions, Pieces.TOKENS + windows.scored());
    }
    int batch = plan.forwardSequences(positions, windows.scored() == 1);
    for (int first = 0; first < windows.count(); first += batch) {
      int count = Math.min(batch, windows.count() - first);
      score(new WindowBatch(stream, windows, first, count), nlls, first * windows.scored());
      done.accept(first + count);
    }
    return nlls;
  }

  private void score(WindowBatch batch, double[] nlls, int firstRow) {
    try (NDManager pass = manager.newSubManager()) {
      long[] targets = batch.targets();
      NDArray x_Nd =
          hiddenBeforeTargets(pass.create(batch.contexts(bos), batch.shape()), batch.scored());
      NDArray targets_N = pass.create(targets);
      for (int first = 0; first < targets.length; first += rowsOfLogits) {
        int end = Math.min(first + rowsOfLogits, targets.length);
        try (NDManager part = pass.newSubManager()) {
          NDArray x_Rd = x_Nd.get(part, new NDIndex("{}:{}", first, end));
          NDArray targets_R = targets_N.get(part, new NDIndex("{}:{}", first, end));
          float[] scored = model.nll(x_Rd, targets_R).toFloatArray();
          for (int row = 0; row < scored.length; row++) {
            nlls[firstRow + first + row] = scored[row];
          }
        }
      }
    }
  }

  private boolean readsPieces(long positions) {
    return !model.config().hasAttention() && positions > Pieces.TOKENS;
  }

  /** The same as {@link #hiddenBeforeTargets}, with the states behind each piece carried on. */
  private NDArray hiddenInPieces(NDArray tokens_BT, int scored) {
    try (LayerStates states = new LayerStates(manager)) {
      LanguageModel reading = model.carrying(Optional.of(states));
      return rows(
          Pieces.lastHidden(tokens_BT, scored, piece -> reading.hidden(reading.embed(piece))));
    }
  }

  /** The hidden states at the positions before the targets: [N, d]. */
  private NDArray hiddenBeforeTargets(NDArray tokens_BT, int scored) {
    long length = tokens_BT.getShape().get(1);
    if (readsPieces(length)) {
      return hiddenInPieces(tokens_BT, scored);
    }
    NDArray embedded_BTd = model.embed(tokens_BT);
    return scored == 1
        ? model.lastHidden(embedded_BTd)
        : rows(model.hidden(embedded_BTd).get(new NDIndex(":, {}:", length - scored)));
  }

  private NDArray rows(NDArray x_BTd) {
    return x_BTd.reshape(-1, model.config().width());
  }

  /** The windows of one batch. */
  private record WindowBatch(TokenStream stream, ScoredWindows windows, int first, int count) {

    int scored() {
      return windows.scored();
    }

    Shape shape() {
      return new Shape(count, windows.length() - 1L);
    }

    /** All tokens of each window except the last, with BOS at the place of the first. */
    long[] contexts(Optional<Integer> bos) {
      int read = windows.length() - 1;
      long[] tokens = read(0, read);
      if (bos.isPresent()) {
        for (int b = 0; b < count; b++) {
          tokens[b * read] = bos.get();
        }
      }
      return tokens;
    }

    long[] targets() {
      return read(windows.length() - scored(), scored());
    }

    private long[] read(int skipped, int wanted) {
      long[] tokens = new long[count * wanted];
      int[] part = new int[wanted];
      for (int b = 0; b < count; b++) {
        stream.read(windows.start(first + b) + skipped, part, 0, wanted);
        for (int t = 0; t < wanted; t++) {
          tokens[b * wanted + t] = part[t];
        }
      }
      return tokens;
    }
  }
}
