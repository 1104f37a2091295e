package org.lengthwise.generate;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import org.lengthwise.model.LanguageModel;

/** Scores every token of a sequence from all tokens before it, in one forward pass. */
public final class Scorer {
  private final LanguageModel model;
  private final NDManager manager;

  /**
   * A scorer of one model.
   *
   * @param model the model; the caller closes it
   * @param manager the parent of the manager of each pass, on the model's device
   */
  public Scorer(LanguageModel model, NDManager manager) {
    this.model = model;
    this.manager = manager;
  }

  /**
   * Scores a sequence. The model reads N - 1 positions, all tokens except the last.
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
          model
              .hidden(model.embed(tokens_BT, false), false)
              .reshape(length, model.config().width());
      NDArray targets_T = pass.create(Arrays.copyOfRange(ids, 1, tokens.length));
      return model.nll(x_Td, targets_T, false).toFloatArray();
    }
  }
}
