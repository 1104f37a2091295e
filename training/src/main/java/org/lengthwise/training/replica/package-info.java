/**
 * Copies of a model in training, one for each device.
 *
 * <p>Each replica takes an equal share of every batch. Gradients are averaged over all replicas,
 * and all replicas clip and update in the same way. N replicas learn what one replica learns from
 * the whole batch.
 *
 * <p>Invariants: after each step all replicas hold the same bits of weights and moments. A
 * constructor that fails closes the resources that it has opened.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.training.replica;

import org.jspecify.annotations.NullMarked;
