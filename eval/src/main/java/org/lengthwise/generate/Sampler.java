package org.lengthwise.generate;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.lengthwise.config.Checks;

/**
 * Samples a token from logits. The logits are divided by the temperature. Top-k keeps the k most
 * likely tokens. Of these, top-p keeps the smallest number of most likely tokens whose
 * probabilities add up to p. One of them is drawn in proportion to its probability.
 *
 * @param temperature the divisor of logits; 0 takes the most likely token; 1 is the model's own
 *     distribution
 * @param topK k; 0 keeps all tokens
 * @param topP p, above 0; 1 keeps all tokens
 */
public record Sampler(double temperature, int topK, double topP) {

  public Sampler {
    Checks.require(
        temperature >= 0 && Double.isFinite(temperature), "temperature", "at least 0", temperature);
    Checks.atLeast("top_k", topK, 0);
    Checks.require(topP > 0 && topP <= 1, "top_p", "above 0 and at most 1", topP);
  }

  /**
   * Samples a token.
   *
   * @param logits the finite logit of each id
   * @param random the source of randomness; not used at temperature 0
   */
  public int draw(float[] logits, Random random) {
    Distribution distribution = distribution(logits);
    return distribution.ids().length == 1
        ? distribution.ids()[0]
        : distribution.at(random.nextDouble());
  }

  Distribution distribution(float[] logits) {
    int[] ids = mostLikelyFirst(logits);
    int kept = temperature == 0 ? 1 : topK == 0 ? ids.length : Math.min(topK, ids.length);
    double[] weights = new double[kept];
    double total = 0;
    for (int i = 0; i < kept; i++) {
      // Subtracting the largest logit prevents overflow; the largest weight is 1.
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

  /** All ids by descending logit; equal logits by ascending id. */
  private static int[] mostLikelyFirst(float[] logits) {
    return IntStream.range(0, logits.length)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer id) -> -logits[id]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * Tokens with their probabilities, the most likely first.
   *
   * @param probabilities the probability of each token; their sum is 1
   */
  @SuppressWarnings("ArrayRecordComponent") // Used for one draw and never compared.
  record Distribution(int[] ids, double[] probabilities) {

    /** The token whose interval of cumulative probability contains a point from 0 to 1. */
    int at(double point) {
      double end = 0;
      for (int i = 0; i < ids.length; i++) {
        end += probabilities[i];
        if (point < end) {
          return ids[i];
        }
      }
      return ids[ids.length - 1]; // rounding left the sum just below 1
    }
  }
}
