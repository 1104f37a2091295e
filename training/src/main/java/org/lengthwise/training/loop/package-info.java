/**
 * The step loop: batches in, weights, metrics and checkpoints out.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.training.loop;

import org.jspecify.annotations.NullMarked;
