/**
 * Results of measurements: the records, their files, and the search for finished results.
 *
 * <p>The results folder of an evaluation has {@code results.jsonl}, with one {@link
 * org.lengthwise.result.EvaluationResult} a line, and for each line an Arrow IPC file of individual
 * negative log-likelihoods ({@link org.lengthwise.result.NllFile}). The results folder of receptive
 * fields has {@code receptive-fields.jsonl}, with one {@link
 * org.lengthwise.result.ReceptiveFieldResult} a line, and for each line two Arrow IPC files of
 * gradient norms ({@link org.lengthwise.result.GradientNormsFile}). A folder without the marker
 * {@code DONE} is never read.
 *
 * <p>Invariants: a result line names its metric, run, seed, data and targets; an evaluation stores
 * counts and sums, so results can be pooled, and means, perplexities and errors are derived from
 * them; every curve of a receptive field can be recomputed from the norms; a read file equals the
 * written one, bit for bit.
 *
 * <p>Legend: NLL = negative log-likelihood of one token in nats; T_tr = training length; T_ex =
 * evaluated length.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.result;

import org.jspecify.annotations.NullMarked;
