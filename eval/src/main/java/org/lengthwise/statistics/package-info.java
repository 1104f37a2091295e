/**
 * Conclusions from individual negative log-likelihoods: intervals of means, paired differences, and
 * verdicts.
 *
 * <p>A number of a report is a mean over tokens and over seeds, and both are samples. Tokens are
 * resampled (a percentile bootstrap), in whole windows if several tokens per window are scored.
 * Seeds are few and enter with Student's t ({@link org.lengthwise.statistics.Bootstrap}, {@link
 * org.lengthwise.statistics.SeedShares}). Comparisons are paired: values of one target token under
 * one seed are subtracted, and the mean of the differences gets the interval ({@link
 * org.lengthwise.statistics.Scores#minus}). Pairs help because a token that is hard for one model
 * is hard for others. A paired change alone decides whether a scheme extrapolates ({@link
 * org.lengthwise.statistics.VerdictRule}).
 *
 * <p>Invariants: plain Java; all randomness comes from a given seed; equal values have equal
 * intervals on every machine; this package does not depend on files or formats.
 * docs/explanation/statistics.md explains the statistics to readers of reports.
 *
 * <p>Legend: S = seeds; N = target tokens; W = windows; U = units, the windows that are resampled
 * together; NLL = negative log-likelihood in nats; T_tr = training length.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.statistics;

import org.jspecify.annotations.NullMarked;
