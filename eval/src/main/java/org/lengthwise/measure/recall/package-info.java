/**
 * The accuracy of models of recall tasks: token and string accuracy, accuracy by distance, and what
 * rules without a long memory reach on the same strings.
 *
 * <p>Invariants: strings depend on the seed, the settings and the length only, so all models of a
 * task read the same ones. Every number of {@code accuracy.jsonl} can be counted again from {@code
 * predictions.jsonl} and the strings that the command {@code task} prints.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.measure.recall;

import org.jspecify.annotations.NullMarked;
