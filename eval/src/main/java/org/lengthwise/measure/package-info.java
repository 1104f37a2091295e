/**
 * The common part of all measurements of trained models.
 *
 * <p>A {@link org.lengthwise.measure.Measurement} consists of cells, the smallest parts that are
 * stored as a whole. {@link org.lengthwise.measure.MeasurementFolder} measures the cells one after
 * the other into a results folder, resumes after an interruption and skips finished work. {@link
 * org.lengthwise.measure.CheckpointMeasurement} loads the models, one at a time.
 *
 * <p>Invariants: {@code measurement.json} in the folder holds all values that decide the numbers,
 * so cells of different measurements never mix; a finished cell is never measured again; a results
 * folder is complete or absent.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.measure;

import org.jspecify.annotations.NullMarked;
