/** The cost of a training run, computed before the run. */
@NullMarked
package org.lengthwise.training.plan;

import org.jspecify.annotations.NullMarked;
