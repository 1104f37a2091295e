package org.lengthwise.eval.score;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import org.lengthwise.training.model.Decoder;

/** Scores every token of a sequence from all tokens before it, in one forward pass. */
public final class Scorer {
  private final Decoder decoder;
  private final NDManager manager;

  /**
   * A scorer of one model.
   *
   * @param decoder the model, kept open by the caller
   * @param manager the owner of everything made meanwhile, on the model's device
   */
  public Scorer(Decoder decoder, NDManager manager) {
    this.decoder = decoder;
    this.manager = manager;
  }

  /**
   * Scores a sequence. The model reads all tokens but the last, so its depth is that of N - 1
   * positions.
   *
   * @param tokens N token ids, at least 2, each below V
   * @return N - 1 values in nats: element i is -ln p(token i + 1 | tokens 0..i)
   */
  public float[] score(int[] tokens) {
    int length = tokens.length - 1;
    long[] ids = Arrays.stream(tokens).asLongStream().toArray();
    try (NDManager pass = manager.newSubManager()) {
      NDArray tokens_BT = pass.create(Arrays.copyOf(ids, length), new Shape(1, length));
      NDArray x_Td =
          decoder
              .hidden(decoder.embed(tokens_BT, false), false)
              .reshape(length, decoder.config().width());
      NDArray targets_T = pass.create(Arrays.copyOfRange(ids, 1, tokens.length));
      return decoder.nll(x_Td, targets_T, false).toFloatArray();
    }
  }
}
