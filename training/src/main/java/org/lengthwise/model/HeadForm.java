package org.lengthwise.model;

import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * The heads of attention, apart from their number.
 *
 * @param keyHeads G, the heads of keys and values, a divisor of H; query head h reads head floor(h
 *     G / H) of them (Ainslie et al., "GQA", EMNLP 2023); 0 for H
 * @param headWidth D; 0 for d / H
 * @param outputBias whether the projection of the attended values has a bias, if queries, keys and
 *     values have one
 * @param queryKeyNorm whether each query and key is normalised by RMSNorm over its D numbers,
 *     before any rotation, as in Qwen3
 * @param clip the largest absolute value of queries, keys and values, as in MPT; 0 for no bound
 * @param scale the factor of q k; 0 for 1 / sqrt(D)
 */
public record HeadForm(
    @AbsentMeans("0") int keyHeads,
    @AbsentMeans("0") int headWidth,
    @AbsentMeans("true") boolean outputBias,
    @AbsentMeans("false") boolean queryKeyNorm,
    @AbsentMeans("0.0") double clip,
    @AbsentMeans("0.0") double scale) {

  /** As many heads of keys as of queries, and D = d / H. */
  public static final HeadForm GPT2 = new HeadForm(0, 0, true, false, 0, 0);

  /** Requires numbers that are not negative. */
  public HeadForm {
    Checks.atLeast("key_heads", keyHeads, 0);
    Checks.atLeast("head_width", headWidth, 0);
    Checks.require(clip >= 0, "clip", "at least 0", clip);
    Checks.require(scale >= 0, "scale", "at least 0", scale);
  }
}
