package org.lengthwise.eval.report;

import org.lengthwise.eval.statistics.Estimate;

/**
 * A run from one measured length to the next longer one, paired token by token and seed by seed.
 *
 * @param run the run
 * @param from the shorter T_ex
 * @param to the longer one
 * @param nll what the mean negative log-likelihood at the longer one is above that at the shorter
 *     one, in nats
 */
record Step(Column run, int from, int to, Estimate nll) {}
