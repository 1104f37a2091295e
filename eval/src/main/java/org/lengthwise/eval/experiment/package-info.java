/**
 * Experiments: schemes times seeds, trained, evaluated, probed and reported as one resumable whole.
 *
 * <p>Layout of an experiment's folder: {@code runs/NAME-seedN/} is a training run with {@code
 * evaluation/} and {@code receptive-field/} inside, {@code report/} is made from all of them.
 */
@NullMarked
package org.lengthwise.eval.experiment;

import org.jspecify.annotations.NullMarked;
