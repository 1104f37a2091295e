package org.lengthwise.training.loop;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.List;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.data.Batch;
import org.lengthwise.training.data.Windows;
import org.lengthwise.training.model.Decoder;
import org.lengthwise.training.replica.Replica;
import org.lengthwise.training.replica.ReplicaGroup;

/**
 * Measures the loss on the same sequences each time, spread evenly over the validation split and
 * over the replicas.
 */
final class Validator {
  private final Windows windows;
  private final int length;
  private final LoopConfig config;
  private final int numSequences;

  Validator(Windows windows, LoopConfig config) {
    this.windows = windows;
    this.length = config.length();
    this.config = config;
    this.numSequences = (int) Math.min(config.validation().sequences(), windows.numWindows());
  }

  /** The number of tokens a measurement is a mean over. */
  long numTokens() {
    return (long) numSequences * length;
  }

  /** The mean negative log-likelihood in nats, summed in double precision. */
  double loss(ReplicaGroup replicas) {
    int numReplicas = replicas.size();
    int share = (numSequences + numReplicas - 1) / numReplicas;
    int micro = config.microBatch(numReplicas);
    List<Double> sums =
        replicas.onEach(
            (replica, index) ->
                sum(replica, index * share, Math.min((index + 1) * share, numSequences), micro));
    return sums.stream().mapToDouble(Double::doubleValue).sum() / numTokens();
  }

  private double sum(Replica replica, int from, int to, int micro) {
    double sum = 0;
    for (int first = from; first < to; first += micro) {
      try (NDManager pass = replica.manager().newSubManager()) {
        long offset = first;
        int count = Math.min(micro, to - first);
        Batch batch = windows.read(count, b -> window(offset + b)).on(pass);
        sum += sum(replica.decoder(), batch);
      }
    }
    return sum;
  }

  private static double sum(Decoder decoder, Batch batch) {
    NDArray x_Nd =
        decoder
            .hidden(decoder.embed(batch.tokens_BT(), false), false)
            .reshape(-1, decoder.config().width());
    double sum = 0;
    for (float nll : decoder.nll(x_Nd, batch.targets_BT().reshape(-1), false).toFloatArray()) {
      sum += nll;
    }
    return sum;
  }

  private long window(long sequence) {
    return sequence * windows.numWindows() / numSequences;
  }
}
