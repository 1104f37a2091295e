/** AdamW with decay groups, the global-norm clip, and the learning-rate schedule. */
@NullMarked
package org.lengthwise.training.optimizer;

import org.jspecify.annotations.NullMarked;
