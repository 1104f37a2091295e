/**
 * Copies of a model in training, one for each device.
 *
 * <p>Invariant: whatever opens several native resources closes those already open when a later one
 * fails.
 */
@NullMarked
package org.lengthwise.training.replica;

import org.jspecify.annotations.NullMarked;
