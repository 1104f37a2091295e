package org.lengthwise.report.training;

/** The losses of one run and seed in {@code report.json}, by tokens trained on. */
public record RunLosses(String run, long seed, LossCurve training, LossCurve validation) {}
