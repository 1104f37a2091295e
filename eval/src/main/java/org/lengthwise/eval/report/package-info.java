/**
 * Tables, plots and one page from finished results.
 *
 * <p>The unit of a table is a {@link org.lengthwise.eval.report.Cell}: the perplexities of one run
 * at one length over its seeds. The perplexity of a seed is the exponential of its mean negative
 * log-likelihood; over seeds the perplexities are averaged, with the sample standard deviation as
 * spread. A table holds one protocol and one test set; results that cannot stand side by side stop
 * the report ({@link org.lengthwise.eval.report.Comparison}).
 *
 * <p>Invariants: nothing is estimated or filled in (a missing cell is shown as missing); numbers
 * are written with the same digits on every machine; the same results give the same files, byte for
 * byte, PNG encoders aside.
 *
 * <p>Reference numbers: Chi, Fan, Rudnicky, Ramadge, "Transformer Working Memory Enables Regular
 * Language Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, Table 3.
 *
 * <p>Legend: T_tr = training length; T_ex = evaluated length; NLL = negative log-likelihood in
 * nats.
 */
@NullMarked
package org.lengthwise.eval.report;

import org.jspecify.annotations.NullMarked;
