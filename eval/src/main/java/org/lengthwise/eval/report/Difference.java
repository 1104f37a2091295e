package org.lengthwise.eval.report;

import org.lengthwise.eval.statistics.Estimate;

/**
 * Two runs at one length, paired token by token and seed by seed.
 *
 * @param length T_ex
 * @param first one run
 * @param second the other
 * @param nll what the first one's mean negative log-likelihood is above the second's, in nats
 */
record Difference(int length, Column first, Column second, Estimate nll) {}
