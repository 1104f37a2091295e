/**
 * Benchmarks. Whatever holds a fast path against the obvious one runs both in the same process,
 * alternating, after warm-up; medians and their ratio are what counts, and whether both compute the
 * same.
 *
 * <p>{@link org.lengthwise.eval.bench.Benchmarks} runs the parts that are asked for; each is a
 * record of its sizes and returns rows. {@link org.lengthwise.eval.bench.Interleaved} times all
 * forms that are compared, each of which names those it is compared with; reading and the steps of
 * schemes, which have nothing to compare, time themselves. Sizes come from conf/bench.yaml and
 * stand in the report.
 *
 * <p>Letters: B batch, T sequence length, d width, H heads, D = d/H, C chunk size, V vocabulary.
 * Invariant: every tensor of a pass is closed with the pass.
 */
@NullMarked
package org.lengthwise.eval.bench;

import org.jspecify.annotations.NullMarked;
