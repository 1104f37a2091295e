/**
 * RASP: a language whose programs describe what a transformer's heads and feed-forward layers
 * compute, and how many layers and heads that takes.
 *
 * <p>A program is read ({@link org.lengthwise.rasp.Program}) and interpreted once. The result is a
 * graph of s-ops and selectors. An {@link org.lengthwise.rasp.SOp} of this graph has a size, runs
 * on any input, and is drawn. Letters: n the length of the input, i the position of a query (row),
 * j that of a key (column).
 *
 * <p>Invariants: numbers are exact fractions; equal steps of a program are one node of the graph;
 * nothing here knows a tensor.
 *
 * <p>Source: Weiss, Goldberg and Yahav, "Thinking Like Transformers", ICML 2021.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.rasp;

import org.jspecify.annotations.NullMarked;
