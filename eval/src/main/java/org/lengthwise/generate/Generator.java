package org.lengthwise.generate;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.Random;
import java.util.function.IntPredicate;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.TextState;

/**
 * Continues a sequence of tokens, one at a time.
 *
 * @param model the model; the caller closes it
 * @param manager the owner of all tensors, on the model's device
 * @param context the largest number of latest tokens that the model reads
 * @param pinned how many of the first tokens are always read, such as 1 for BOS
 */
public record Generator(
    LanguageModel model, NDManager manager, Sampler sampler, int context, int pinned) {
  /**
   * The conditions that end generation.
   *
   * @param endOfText the id that ends generation; the sink never receives it
   */
  public record Limit(int tokens, int endOfText) {}

  /**
   * Generates tokens.
   *
   * @param prompt the tokens to continue, at least one id
   * @param sink receives each token as soon as it is drawn; returns false to stop
   * @return how many tokens the sink received
   * @throws DataFormatException if a logit is not finite
   */
  public int generate(int[] prompt, Limit limit, Random random, IntPredicate sink) {
    try (TextState text = model.begin(manager, context, pinned)) {
      int[] piece = prompt;
      for (int count = 0; count < limit.tokens(); count++) {
        int next = sampler.draw(logits(text.append(piece)), random);
        if (next == limit.endOfText()) {
          return count;
        }
        if (!sink.test(next)) {
          return count + 1;
        }
        piece = new int[] {next};
      }
      return limit.tokens();
    }
  }

  private float[] logits(NDArray hidden_1d) {
    try (hidden_1d;
        NDArray logits_1V = model.logits(hidden_1d)) {
      float[] logits = logits_1V.toFloatArray();
      for (float logit : logits) {
        if (!Float.isFinite(logit)) {
          throw new DataFormatException(
              "model", "finite logits", String.valueOf(logit), "use an earlier checkpoint");
        }
      }
      return logits;
    }
  }
}
