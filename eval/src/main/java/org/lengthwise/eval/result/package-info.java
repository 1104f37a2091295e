/**
 * Results of measuring a checkpoint: the records, their files, and how finished ones are found
 * again.
 *
 * <p>A results folder is what one evaluation leaves behind: {@code results.jsonl} with one {@link
 * org.lengthwise.eval.result.EvaluationResult} a line, and beside it one Arrow IPC file of
 * individual negative log-likelihoods for each line ({@link org.lengthwise.eval.result.NllFile}). A
 * receptive-field folder holds {@code receptive-field.json}, one {@link
 * org.lengthwise.eval.result.ReceptiveFieldResult}. Both kinds carry the marker {@code DONE}, and a
 * folder without it is never read.
 *
 * <p>Invariants: a result stores counts and sums, and everything else (mean, perplexity, standard
 * error) is derived from them when asked for, so that results can be pooled and recomputed; every
 * result names its run, seed, data and targets by value; what is read back equals what was written,
 * bit for bit.
 *
 * <p>Legend: NLL = negative log-likelihood of one token in nats; T_tr = training length; T_ex =
 * evaluated length.
 */
@NullMarked
package org.lengthwise.eval.result;

import org.jspecify.annotations.NullMarked;
