package org.lengthwise.report.training;

/**
 * The losses of one run and seed in {@code report.json}, by tokens trained on.
 *
 * @param training the loss of the steps
 */
public record RunLosses(String run, long seed, LossCurve training, LossCurve validation) {}
