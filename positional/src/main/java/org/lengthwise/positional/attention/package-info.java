/**
 * Attention on tensors, for every scheme.
 *
 * <p>{@link org.lengthwise.positional.attention.AttentionKernels} holds the loaded kernels of a
 * device; {@link org.lengthwise.positional.attention.Attention#begin} prepares what one forward
 * pass at one length shares between its layers, and the result attends layer by layer.
 *
 * <p>Letters: B batch, T sequence length, d model width, H heads, D = d/H head width, C chunk size,
 * l level. Invariants: biases are computed in float32 and cast last; a bias of all pairs [H, T, T]
 * is kept for a pass only up to 256 MB, beyond that one block of queries has its bias at a time;
 * sliding-dilated attention costs O(T C).
 */
@NullMarked
package org.lengthwise.positional.attention;

import org.jspecify.annotations.NullMarked;
