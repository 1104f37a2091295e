/** What a training run will take, worked out before it begins. */
@NullMarked
package org.lengthwise.training.plan;

import org.jspecify.annotations.NullMarked;
