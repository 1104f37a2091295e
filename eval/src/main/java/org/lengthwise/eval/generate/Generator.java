package org.lengthwise.eval.generate;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.training.model.Decoder;

/**
 * Continues a sequence of tokens, one at a time. For each the model reads the latest tokens anew
 * and computes what the last position depends on alone.
 */
public final class Generator {
  private final Decoder decoder;
  private final NDManager manager;
  private final Sampler sampler;
  private final int context;

  /**
   * A generator of one model.
   *
   * @param decoder the model, kept open by the caller
   * @param manager the owner of everything made meanwhile, on the model's device
   * @param sampler how a token is drawn
   * @param context how many of the latest tokens are read at most; earlier ones slide out
   */
  public Generator(Decoder decoder, NDManager manager, Sampler sampler, int context) {
    this.decoder = decoder;
    this.manager = manager;
    this.sampler = sampler;
    this.context = context;
  }

  /**
   * Where generation ends.
   *
   * @param tokens how many tokens at most
   * @param endOfText the id before which it ends, and which is never given out
   */
  public record Limit(int tokens, int endOfText) {}

  /**
   * Generates tokens.
   *
   * @param prompt what to continue, at least one id
   * @param limit where to end
   * @param random the source of the draws
   * @param sink given each token as soon as it is drawn; says whether to go on
   * @return how many tokens it was given
   * @throws DataFormatException if the model's logits are not numbers
   */
  public int generate(int[] prompt, Limit limit, Random random, IntPredicate sink) {
    int[] tokens = Arrays.copyOf(prompt, Math.addExact(prompt.length, limit.tokens()));
    for (int count = 0; count < limit.tokens(); count++) {
      int end = prompt.length + count;
      int next = sampler.draw(logits(tokens, end), random);
      if (next == limit.endOfText()) {
        return count;
      }
      tokens[end] = next;
      if (!sink.test(next)) {
        return count + 1;
      }
    }
    return limit.tokens();
  }

  private float[] logits(int[] tokens, int end) {
    long[] read = Arrays.stream(tokens, Math.max(0, end - context), end).asLongStream().toArray();
    try (NDManager step = manager.newSubManager()) {
      NDArray tokens_BT = step.create(read, new Shape(1, read.length));
      float[] logits =
          decoder.logits(decoder.lastHidden(decoder.embed(tokens_BT, false))).toFloatArray();
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
