package org.lengthwise.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.recall.Stream;

/**
 * What a line of a recall task says beyond its accuracy.
 *
 * @param stream what the strings were drawn for
 * @param isMixed whether the strings have all training lengths; otherwise one length
 * @param chance the share of right tokens of a guess
 * @param distances the targets by distance, in bins 1, 2, 3-4, 5-8, ..; bins without targets are
 *     absent
 * @param baselines the errors of rules without a long memory, on the same strings
 * @param decoys the answers that are the key of a needle that was not asked; null for other tasks
 */
public record RecallDetails(
    Stream stream,
    boolean isMixed,
    double chance,
    List<Bin> distances,
    List<Errors> baselines,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Long decoys) {

  /** Copies the lists. */
  public RecallDetails {
    distances = List.copyOf(distances);
    baselines = List.copyOf(baselines);
  }

  /**
   * Targets of similar distance.
   *
   * @param longest the longest distance, a power of two
   * @param errors the number of wrong ones
   */
  public record Bin(int longest, long count, long errors) {}

  /**
   * The errors of a rule.
   *
   * @param tokens the number of wrong tokens
   * @param strings the number of strings with a wrong token
   */
  public record Errors(String rule, long tokens, long strings) {}
}
