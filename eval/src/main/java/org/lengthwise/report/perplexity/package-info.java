/**
 * The part of a report on perplexity: tables with the paper's numbers beside them, intervals and
 * verdicts, n-gram baselines, places of rises, and the loss by position.
 *
 * <p>A cell of a table is a {@link org.lengthwise.report.perplexity.TableCell}: the perplexities of
 * one run at one length, one for each seed. The perplexity of a seed is the exponential of its mean
 * negative log-likelihood. Over seeds the perplexities are averaged, and their sample standard
 * deviation is the spread. A table has one protocol and one test set; a table of bits per byte may
 * have a test set of each of several tokenizers.
 *
 * <p>Invariants: results that cannot be compared stop the report ({@link
 * org.lengthwise.report.perplexity.Comparison}); nothing is estimated or filled in, and a missing
 * cell is shown as missing.
 *
 * <p>Reference numbers: Chi, Fan, Rudnicky, Ramadge, "Transformer Working Memory Enables Regular
 * Language Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, Table 3.
 *
 * <p>Legend: T_tr = training length; T_ex = evaluated length; NLL = negative log-likelihood in
 * nats.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.report.perplexity;

import org.jspecify.annotations.NullMarked;
