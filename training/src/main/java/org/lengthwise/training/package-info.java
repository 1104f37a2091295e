/**
 * Training: the decoder, its step loop, optimiser, schedule, checkpoints and metrics.
 *
 * <p>Data flows one way: shards → {@code data} (windows in a seeded order) → {@code model} (loss) →
 * {@code optimizer} (weights) → {@code checkpoint}, driven by {@code loop}. Evaluation reads {@code
 * model} and {@code checkpoint}, and starts runs through {@code loop}.
 *
 * <p>Letters: B batch, T sequence length, d model width, H heads, V vocabulary, K distinct blocks,
 * L levels, N = B T.
 */
@NullMarked
package org.lengthwise.training;

import org.jspecify.annotations.NullMarked;
