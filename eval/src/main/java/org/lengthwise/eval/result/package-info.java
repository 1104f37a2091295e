/**
 * Results of measuring a checkpoint: the records, their files, and how finished ones are found
 * again.
 *
 * <p>A results folder is what one evaluation leaves behind: {@code results.jsonl} with one {@link
 * org.lengthwise.eval.result.EvaluationResult} a line, and beside it one Arrow IPC file of
 * individual negative log-likelihoods for each line ({@link org.lengthwise.eval.result.NllFile}). A
 * receptive-field folder holds {@code receptive-fields.jsonl} with one {@link
 * org.lengthwise.eval.result.ReceptiveFieldResult} a line, and beside it two Arrow IPC files of
 * gradient norms for each line ({@link org.lengthwise.eval.result.GradientNormsFile}). Both kinds
 * carry the marker {@code DONE}, and a folder without it is never read.
 *
 * <p>Invariants: an evaluation's result stores counts and sums, and everything else (mean,
 * perplexity, standard error) is derived from them when asked for; what a receptive field says is
 * computed from the norms beside it alone; so all can be pooled and recomputed. Every result names
 * its run, seed, data and targets by value; what is read back equals what was written, bit for bit.
 *
 * <p>Legend: NLL = negative log-likelihood of one token in nats; T_tr = training length; T_ex =
 * evaluated length.
 */
@NullMarked
package org.lengthwise.eval.result;

import org.jspecify.annotations.NullMarked;
