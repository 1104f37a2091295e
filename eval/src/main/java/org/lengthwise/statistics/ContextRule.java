package org.lengthwise.statistics;

import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * The rule that finds the tokens that need context: their negative log-likelihood under a reference
 * run falls by more than a margin from the shortest training length to the longest length.
 *
 * <p>Source of the idea: Fang et al., "What is Wrong with Perplexity for Long-context Language
 * Modeling?", 2024 (LongPPL). Their rule has a strong model of its own as the reference, and a
 * second limit, on the likelihood with the long context.
 *
 * @param run the reference; absent for the run with the lowest perplexity at the longest length
 * @param margin the smallest fall in nats, the mean over seeds; it is exceeded
 */
public record ContextRule(@AbsentMeans("null") @Nullable String run, double margin) {
  public ContextRule {
    Checks.within("margin", margin, 0, 100);
  }
}
