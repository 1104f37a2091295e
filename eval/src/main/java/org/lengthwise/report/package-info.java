/**
 * Reports of finished results: tables, charts and one page.
 *
 * <p>{@link org.lengthwise.report.Sections} lists the sections of a report in order; the page, the
 * table files, the picture files and {@code report.json} are made from this list.
 *
 * <p>A cell of a table is a {@link org.lengthwise.report.TableCell}: the perplexities of one run at
 * one length, one for each seed. The perplexity of a seed is the exponential of its mean negative
 * log-likelihood. Over seeds the perplexities are averaged, and their sample standard deviation is
 * the spread. A table has one protocol and one test set. Results that cannot be compared stop the
 * report ({@link org.lengthwise.report.Comparison}).
 *
 * <p>Invariants: nothing is estimated or filled in, and a missing cell is shown as missing; numbers
 * have the same digits on every machine; the same results give the same files, byte for byte, PNG
 * encoders aside.
 *
 * <p>Reference numbers: Chi, Fan, Rudnicky, Ramadge, "Transformer Working Memory Enables Regular
 * Language Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, Table 3.
 *
 * <p>Legend: T_tr = training length; T_ex = evaluated length; NLL = negative log-likelihood in
 * nats.
 */
@NullMarked
package org.lengthwise.report;

import org.jspecify.annotations.NullMarked;
