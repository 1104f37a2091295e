/**
 * The parts of a report on shares of right answers: classifiers of strings and answers of language
 * models, with the numbers of the paper on regular languages; recall tasks; and the passkey. They
 * share their results, means, heat maps and files of numbers, and differ in their tables.
 *
 * <p>Invariants: no choice of a run uses a test length. A model that has not learned its recall
 * task is grey everywhere, and has no other verdict.
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
