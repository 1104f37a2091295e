/**
 * The part of a report on training: the losses of each run, the measured models, and where each run
 * comes from.
 *
 * <p>The parts on perplexity and accuracy use {@link org.lengthwise.report.training.TrainedRun},
 * which describes the model behind a result.
 *
 * <p>Invariant: training is shown to readers, and no number of another part depends on it.
 *
 * <p>Legend: T_tr = training length; losses are mean negative log-likelihoods in nats.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.report.training;

import org.jspecify.annotations.NullMarked;
