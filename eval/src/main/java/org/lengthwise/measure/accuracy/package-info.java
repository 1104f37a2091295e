/**
 * The accuracy of classifiers of strings, beside what needs no model.
 *
 * <p>Invariants: strings depend on the seed, the draw and the length only. Labels are computed by
 * the automaton of the task that the checkpoint names.
 *
 * <p>Letters: B strings of a batch, T symbols of a string.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.measure.accuracy;

import org.jspecify.annotations.NullMarked;
