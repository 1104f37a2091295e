/** The step loop: batches in, weights, metrics and checkpoints out. */
@NullMarked
package org.lengthwise.training.loop;

import org.jspecify.annotations.NullMarked;
