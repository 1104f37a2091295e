package org.lengthwise.training.loop;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.data.Batch;
import org.lengthwise.training.data.Windows;
import org.lengthwise.training.model.Decoder;

/** Measures the loss on the same sequences each time, spread evenly over the validation split. */
final class Validator {
  private final Windows windows;
  private final int length;
  private final int microBatch;
  private final int numSequences;

  Validator(Windows windows, LoopConfig config) {
    this.windows = windows;
    this.length = config.length();
    this.microBatch = config.microBatch();
    this.numSequences = (int) Math.min(config.validation().sequences(), windows.numWindows());
  }

  /** The number of tokens a measurement is a mean over. */
  long numTokens() {
    return (long) numSequences * length;
  }

  /** The mean negative log-likelihood in nats, summed in double precision. */
  double loss(Decoder decoder, NDManager manager) {
    double sum = 0;
    for (int first = 0; first < numSequences; first += microBatch) {
      long offset = first;
      int count = Math.min(microBatch, numSequences - first);
      try (NDManager step = manager.newSubManager()) {
        Batch batch = windows.read(count, b -> window(offset + b)).on(step);
        NDArray x_Nd =
            decoder
                .hidden(decoder.embed(batch.tokens_BT(), false), false)
                .reshape(-1, decoder.config().width());
        for (float nll : decoder.nll(x_Nd, batch.targets_BT().reshape(-1), false).toFloatArray()) {
          sum += nll;
        }
      }
    }
    return sum / numTokens();
  }

  private long window(long sequence) {
    return sequence * windows.numWindows() / numSequences;
  }
}
