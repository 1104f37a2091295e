/**
 * Benchmarks. Each fast path is timed against a plain one. Both run in the same process and take
 * turns after a warm-up. The report has medians, their ratio, and the difference of the results.
 *
 * <p>Each {@link org.lengthwise.bench.BenchPart} is a record of its sizes, which come from
 * conf/bench.yaml, and returns a {@link org.lengthwise.bench.BenchRow} for each variant. {@link
 * org.lengthwise.bench.RoundRobinTimer} times all variants that are compared.
 *
 * <p>Letters: B batch, T sequence length, d width, H heads, D = d/H, C chunk size, V vocabulary.
 * Invariant: every tensor of a pass is closed with the pass.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.bench;

import org.jspecify.annotations.NullMarked;
