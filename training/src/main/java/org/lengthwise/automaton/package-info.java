/**
 * Finite automata, and tasks that they define: strings with one label each, at any length.
 *
 * <p>{@link org.lengthwise.automaton.PaperTask} has the twelve tasks of the paper. A user gives
 * another {@link org.lengthwise.automaton.Automaton} in YAML. {@link
 * org.lengthwise.automaton.ExactModel} computes the weights of a model from an automaton.
 *
 * <p>Invariants: a label is always computed from the ids of a string, by the automaton. The
 * automaton starts in state 0. A drawn string depends on its index and its random stream only.
 *
 * <p>Letters: T symbols of a string, V different symbols, N labels.
 *
 * <p>Source: Chi, Fan, Rudnicky and Ramadge, "Transformer Working Memory Enables Regular Language
 * Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, section 5.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.automaton;

import org.jspecify.annotations.NullMarked;
