package org.lengthwise.generate;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.TextState;
import org.lengthwise.positional.LengthUse;
import org.lengthwise.progress.Progress;
import org.lengthwise.progress.ProgressReporter;

/**
 * Scores every token of a sequence from all tokens before it, in one forward pass. A model with
 * {@linkplain org.lengthwise.model.ModelConfig#hasBoundedState a bounded state} reads a long
 * sequence piece by piece, with the same results in constant memory.
 *
 * @param manager the parent of the manager of each pass, on the model's device
 * @param piece the positions of a piece
 */
public record Scorer(LanguageModel model, NDManager manager, int piece) {
  private static final int PIECE = 1 << 14;

  public Scorer(LanguageModel model, NDManager manager) {
    this(model, manager, PIECE);
  }

  /**
   * Scores a sequence. The model reads N - 1 positions, all tokens except the last, or N if the
   * scheme {@linkplain LengthUse#countsLastToken counts the last one}.
   *
   * @param tokens N token ids, at least 2, each below V
   * @return N - 1 values in nats: element i is -ln p(token i + 1 | tokens 0..i)
   */
  public float[] score(int[] tokens) {
    FloatBuffer nlls = FloatBuffer.allocate(tokens.length - 1);
    score(tokens, nlls::put);
    return nlls.array();
  }

  /**
   * Scores a sequence, as {@link #score(int[])}.
   *
   * @param tokens N token ids, at least 2, each below V
   * @param next gets the N - 1 values in order, in one or several parts
   */
  public void score(int[] tokens, Consumer<float[]> next) {
    int length = tokens.length - 1;
    if (!model.config().hasBoundedState() || length <= piece) {
      next.accept(onePass(tokens));
      return;
    }
    try (Progress progress = ProgressReporter.start("score", "tokens", length);
        TextState text = model.begin(manager, length)) {
      for (int first = 0; first < length; first += piece) {
        int end = Math.min(first + piece, length);
        try (NDArray x_nd = text.appendAll(Arrays.copyOfRange(tokens, first, end))) {
          next.accept(nll(x_nd, ids(tokens, first + 1, end + 1)));
        }
        progress.advanceTo(end);
      }
    }
  }

  private float[] onePass(int[] tokens) {
    int targets = tokens.length - 1;
    int length = model.config().position().lengths().countsLastToken() ? tokens.length : targets;
    try (NDManager pass = manager.newSubManager()) {
      NDArray tokens_BT = pass.create(ids(tokens, 0, length), new Shape(1, length));
      NDArray x_Td =
          model
              .hidden(model.embed(tokens_BT))
              .reshape(length, model.config().width())
              .get(new NDIndex(":{}", targets));
      return nll(x_Td, ids(tokens, 1, tokens.length));
    }
  }

  private float[] nll(NDArray x_nd, long[] targets) {
    try (NDManager pass = manager.newSubManager()) {
      NDArray targets_n = pass.create(targets);
      NDArray nll_n = model.nll(x_nd, targets_n);
      nll_n.attach(pass);
      return nll_n.toFloatArray();
    }
  }

  private static long[] ids(int[] tokens, int first, int end) {
    return Arrays.stream(tokens, first, end).asLongStream().toArray();
  }
}
