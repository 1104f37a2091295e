/**
 * The cost of a training run, computed before the run.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.training.plan;

import org.jspecify.annotations.NullMarked;
