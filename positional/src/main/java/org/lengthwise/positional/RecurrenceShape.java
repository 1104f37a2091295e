package org.lengthwise.positional;

import java.util.List;

/**
 * What a linear recurrence reads in front of its kernel, and what it costs.
 *
 * @param projected the numbers of a row that {@code c_attn} projects
 * @param gates the numbers that {@code c_f} projects behind them
 * @param readsInput whether a row ends with the d numbers that both projections read
 * @param multiplications those of a token and layer in the chunk form, without projections
 * @param state the shapes of the state of one sequence
 */
public record RecurrenceShape(
    int projected, int gates, boolean readsInput, long multiplications, List<long[]> state) {}
