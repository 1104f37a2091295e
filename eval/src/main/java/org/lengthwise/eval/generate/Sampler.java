package org.lengthwise.eval.generate;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Turns logits into one token. The logits are divided by the temperature; of the likeliest tokens
 * top-k keeps so many, and of these top-p as few as together have that probability; one of them is
 * drawn in proportion to its probability.
 *
 * @param temperature 0 for the likeliest token without a draw; 1 for the model's own distribution
 * @param topK how many tokens to draw from at most; 0 for all
 * @param topP the probability that the tokens to draw from have together, above 0; 1 for all
 */
public record Sampler(double temperature, int topK, double topP) {

  /** Checks the values. */
  public Sampler {
    if (!(temperature >= 0) || Double.isInfinite(temperature)) {
      throw new IllegalArgumentException("temperature: expected at least 0, found " + temperature);
    }
    if (topK < 0) {
      throw new IllegalArgumentException("top_k: expected at least 0, found " + topK);
    }
    if (!(topP > 0 && topP <= 1)) {
      throw new IllegalArgumentException("top_p: expected above 0 and at most 1, found " + topP);
    }
  }

  /**
   * Draws a token.
   *
   * @param logits for each id its logit, finite
   * @param random the source of the draw; untouched at temperature 0
   * @return an id
   */
  public int draw(float[] logits, Random random) {
    Distribution distribution = distribution(logits);
    return distribution.ids().length == 1
        ? distribution.ids()[0]
        : distribution.at(random.nextDouble());
  }

  /** What a token is drawn from. */
  Distribution distribution(float[] logits) {
    int[] ids = likeliestFirst(logits);
    int kept = temperature == 0 ? 1 : topK == 0 ? ids.length : Math.min(topK, ids.length);
    double[] weights = new double[kept];
    double total = 0;
    for (int i = 0; i < kept; i++) {
      // Differences to the largest: no exponential overflows, and the largest is 1.
      weights[i] = kept == 1 ? 1 : Math.exp((logits[ids[i]] - logits[ids[0]]) / temperature);
      total += weights[i];
    }
    int nucleus = 0;
    double together = 0;
    while (nucleus < kept && (nucleus == 0 || together < topP * total)) {
      together += weights[nucleus++];
    }
    double share = together;
    return new Distribution(
        Arrays.copyOf(ids, nucleus),
        Arrays.stream(weights, 0, nucleus).map(weight -> weight / share).toArray());
  }

  /** All ids by falling logit; of equals the lower id first. */
  private static int[] likeliestFirst(float[] logits) {
    return IntStream.range(0, logits.length)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer id) -> -logits[id]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * Some tokens with their probabilities, the likeliest first.
   *
   * @param ids the tokens
   * @param probabilities for each its probability; together 1
   */
  @SuppressWarnings("ArrayRecordComponent") // Made for one draw and never compared.
  record Distribution(int[] ids, double[] probabilities) {

    /** The token at a place between 0 and 1 of the probabilities laid end to end. */
    int at(double place) {
      double end = 0;
      for (int i = 0; i < ids.length; i++) {
        end += probabilities[i];
        if (place < end) {
          return ids[i];
        }
      }
      return ids[ids.length - 1]; // the sum was rounded to just below 1
    }
  }
}
