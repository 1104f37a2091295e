/**
 * AdamW with decay groups, the global-norm clip, and the learning-rate schedule.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.training.optimizer;

import org.jspecify.annotations.NullMarked;
