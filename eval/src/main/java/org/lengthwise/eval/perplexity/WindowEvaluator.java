package org.lengthwise.eval.perplexity;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.function.LongConsumer;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.training.model.Decoder;

/**
 * Scores the last tokens of windows. Where that is one of each, only what it depends on is
 * computed; otherwise all positions run, and the logits of so many rows at a time as fit.
 */
final class WindowEvaluator {
  private final Decoder decoder;
  private final NDManager manager;
  private final int memoryLimitMegabytes;
  private final int rowsOfLogits;

  /**
   * An evaluator of one model.
   *
   * @param decoder the model, kept open by the caller
   * @param manager the owner of everything made meanwhile, on the model's device
   * @param memoryLimitMegabytes what the activations of one batch may take
   */
  WindowEvaluator(Decoder decoder, NDManager manager, int memoryLimitMegabytes) {
    this(
        decoder,
        manager,
        memoryLimitMegabytes,
        BatchPlan.rows(decoder.config(), memoryLimitMegabytes));
  }

  /** The same with a number of rows whose logits are made at a time. */
  WindowEvaluator(Decoder decoder, NDManager manager, int memoryLimitMegabytes, int rowsOfLogits) {
    this.decoder = decoder;
    this.manager = manager;
    this.memoryLimitMegabytes = memoryLimitMegabytes;
    this.rowsOfLogits = rowsOfLogits;
  }

  /**
   * Scores targets.
   *
   * @param stream the split's tokens
   * @param windows where to read and how many targets each window has
   * @param done told how many windows are scored so far
   * @return the negative log-likelihood of each target in nats, window by window
   */
  double[] score(TokenStream stream, ScoredWindows windows, LongConsumer done) {
    double[] nlls = new double[windows.numTargets()];
    int batch = BatchPlan.sequences(decoder.config(), windows, memoryLimitMegabytes);
    for (int first = 0; first < windows.count(); first += batch) {
      int count = Math.min(batch, windows.count() - first);
      score(new Batch(stream, windows, first, count), nlls, first * windows.scored());
      done.accept(first + count);
    }
    return nlls;
  }

  private void score(Batch batch, double[] nlls, int firstRow) {
    try (NDManager pass = manager.newSubManager()) {
      long[] targets = batch.targets();
      NDArray x_Nd = beforeTargets(pass.create(batch.contexts(), batch.shape()), batch.scored());
      NDArray targets_N = pass.create(targets);
      for (int first = 0; first < targets.length; first += rowsOfLogits) {
        int end = Math.min(first + rowsOfLogits, targets.length);
        try (NDManager part = pass.newSubManager()) {
          NDArray x_Rd = x_Nd.get(part, new NDIndex("{}:{}", first, end));
          NDArray targets_R = targets_N.get(part, new NDIndex("{}:{}", first, end));
          float[] scored = decoder.nll(x_Rd, targets_R, false).toFloatArray();
          for (int row = 0; row < scored.length; row++) {
            nlls[firstRow + first + row] = scored[row];
          }
        }
      }
    }
  }

  /** The residual streams that predict the targets: those of the last positions of each window. */
  private NDArray beforeTargets(NDArray tokens_BT, int scored) {
    NDArray embedded_BTd = decoder.embed(tokens_BT, false);
    if (scored == 1) {
      return decoder.lastHidden(embedded_BTd);
    }
    NDArray x_BTd = decoder.hidden(embedded_BTd, false);
    long length = x_BTd.getShape().get(1);
    return x_BTd.get(new NDIndex(":, {}:", length - scored)).reshape(-1, decoder.config().width());
  }

  /** Some of the windows, to be read at once. */
  private record Batch(TokenStream stream, ScoredWindows windows, int first, int count) {

    int scored() {
      return windows.scored();
    }

    Shape shape() {
      return new Shape(count, windows.length() - 1L);
    }

    /** All tokens of each window but the last. */
    long[] contexts() {
      return read(0, windows.length() - 1);
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
