/**
 * Benchmarks. One that holds a fast path against the obvious one runs both in the same process,
 * alternating, after warm-up; medians and their ratio are what counts.
 */
@NullMarked
package org.lengthwise.eval.bench;

import org.jspecify.annotations.NullMarked;
