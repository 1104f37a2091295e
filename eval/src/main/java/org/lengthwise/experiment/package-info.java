/**
 * Experiments: every scheme is trained with every seed, measured and reported. An interrupted
 * experiment resumes.
 *
 * <p>Layout of an experiment's folder: {@code runs/NAME-seedN/} is a training run with a folder for
 * each measurement, such as {@code evaluation/} and {@code receptive-field/}; {@code
 * runs/baselines/} has the results of the n-gram baselines; {@code report/} is the report on all
 * runs.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.experiment;

import org.jspecify.annotations.NullMarked;
