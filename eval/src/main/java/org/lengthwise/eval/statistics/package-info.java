/**
 * What may be concluded from individual negative log-likelihoods: intervals of means, paired
 * differences, and verdicts by a stated rule.
 *
 * <p>A number of a report is a mean over tokens and over seeds, and both are samples. Tokens are
 * resampled, in whole windows where many of one were scored (a bootstrap with percentiles); seeds,
 * of which there are few, enter with Student's t ({@link
 * org.lengthwise.eval.statistics.Bootstrap}). What is compared is paired first: values of one
 * target token under one seed are subtracted, and the mean of the differences has the interval
 * ({@link org.lengthwise.eval.statistics.Scores#minus}), because a token that is hard for one model
 * is hard for the other. Whether a scheme extrapolates is decided on such a paired change alone
 * ({@link org.lengthwise.eval.statistics.VerdictRule}).
 *
 * <p>Invariants: plain Java, no randomness but from a given seed, the same interval for the same
 * values on every machine; nothing here knows files or formats. docs/statistics.md says the same
 * for readers of reports.
 *
 * <p>Legend: S = seeds; N = target tokens; W = windows; U = units, the windows that are resampled
 * together; NLL = negative log-likelihood in nats; T_tr = training length.
 */
@NullMarked
package org.lengthwise.eval.statistics;

import org.jspecify.annotations.NullMarked;
