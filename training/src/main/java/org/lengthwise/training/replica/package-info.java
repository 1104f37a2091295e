/**
 * Copies of a model in training, one for each device.
 *
 * <p>Each takes an equal share of every batch; gradients are averaged over all of them, and all
 * clip and update alike. N replicas learn what one would learn from the whole batch.
 *
 * <p>Invariants: after each step all replicas hold the same bits of weights and moments; whatever
 * opens several native resources closes those already open when a later one fails.
 */
@NullMarked
package org.lengthwise.training.replica;

import org.jspecify.annotations.NullMarked;
