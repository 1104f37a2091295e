/**
 * States: what RegularGPT's outputs for the windows of all levels show of an automaton's states.
 *
 * <p>A window of level l stands for a part of the string, and the part has a map: which state of
 * the automaton follows from which. A model that computes the automaton needs one output for each
 * map. Source: Chi, Fan, Rudnicky and Ramadge, "Transformer Working Memory Enables Regular Language
 * Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, figure 3.
 *
 * <p>Invariants: strings depend on the seed, the task and the length only. The maps are computed by
 * the automaton of the task that the checkpoint names.
 *
 * <p>Letters: B strings of a batch, T symbols of a string, n windows of a level, d model width.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.measure.states;

import org.jspecify.annotations.NullMarked;
