/**
 * The part of a report on accuracy: classifiers of strings, and answers of language models, with
 * the numbers of the paper on regular languages.
 *
 * <p>Invariant: no choice of a run uses a test length.
 *
 * <p>Reference numbers: Chi, Fan, Rudnicky, Ramadge, "Transformer Working Memory Enables Regular
 * Language Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, Tables 1
 * and 2.
 *
 * <p>Legend: T_tr = training length; p = the probability of b in a string of PARITY.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.report.accuracy;

import org.jspecify.annotations.NullMarked;
