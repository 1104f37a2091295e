/**
 * The part of a report on the states of classifiers: whether the outputs of a RegularGPT for parts
 * of a string form one cluster for each map of an automaton.
 *
 * <p>Invariant: a chart shows the outputs for one string of the first seed; a table has all seeds.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.report.states;

import org.jspecify.annotations.NullMarked;
