package org.lengthwise.eval.perplexity;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.function.LongConsumer;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.training.model.Decoder;

/** Scores single tokens of a split, each from the context of one length before it. */
public final class LastTokenEvaluator {
  private final Decoder decoder;
  private final NDManager manager;
  private final int memoryLimitMegabytes;

  /**
   * An evaluator of one model.
   *
   * @param decoder the model, kept open by the caller
   * @param manager the owner of everything made meanwhile, on the model's device
   * @param memoryLimitMegabytes what the activations of one batch may take
   */
  public LastTokenEvaluator(Decoder decoder, NDManager manager, int memoryLimitMegabytes) {
    this.decoder = decoder;
    this.manager = manager;
    this.memoryLimitMegabytes = memoryLimitMegabytes;
  }

  /**
   * Scores targets.
   *
   * @param stream the split's tokens
   * @param targets offsets of the scored tokens, each at least T_ex - 1
   * @param length T_ex, at least 2: the model reads the T_ex - 1 tokens before a target
   * @param done told how many targets are scored so far
   * @return for each target its negative log-likelihood in nats
   */
  public double[] score(TokenStream stream, long[] targets, int length, LongConsumer done) {
    double[] nlls = new double[targets.length];
    int batch = BatchPlan.sequences(decoder.config(), length - 1, memoryLimitMegabytes);
    for (int first = 0; first < targets.length; first += batch) {
      int count = Math.min(batch, targets.length - first);
      float[] scored = scoreBatch(new Chunks(stream, targets, first, count, length));
      for (int b = 0; b < count; b++) {
        nlls[first + b] = scored[b];
      }
      done.accept(first + count);
    }
    return nlls;
  }

  private float[] scoreBatch(Chunks chunks) {
    try (NDManager batch = manager.newSubManager()) {
      int context = chunks.length() - 1;
      NDArray tokens_BT = batch.create(chunks.contexts(), new Shape(chunks.count(), context));
      NDArray last_Bd = decoder.lastHidden(decoder.embed(tokens_BT, false));
      return decoder.nll(last_Bd, batch.create(chunks.lastTokens()), false).toFloatArray();
    }
  }

  /** The tokens of a batch of chunks. */
  private record Chunks(TokenStream stream, long[] targets, int first, int count, int length) {

    long[] contexts() {
      long[] tokens = new long[count * (length - 1)];
      int[] chunk = new int[length - 1];
      for (int b = 0; b < count; b++) {
        stream.read(targets[first + b] - chunk.length, chunk, 0, chunk.length);
        for (int t = 0; t < chunk.length; t++) {
          tokens[b * chunk.length + t] = chunk[t];
        }
      }
      return tokens;
    }

    long[] lastTokens() {
      long[] tokens = new long[count];
      int[] token = new int[1];
      for (int b = 0; b < count; b++) {
        stream.read(targets[first + b], token, 0, 1);
        tokens[b] = token[0];
      }
      return tokens;
    }
  }
}
