package org.lengthwise.report.training;

/**
 * The losses of one run and seed in {@code report.json}, by tokens trained on.
 *
 * @param run the run
 * @param seed its seed
 * @param training the loss of the steps
 * @param validation the validation loss
 */
public record RunLosses(String run, long seed, LossCurve training, LossCurve validation) {}
