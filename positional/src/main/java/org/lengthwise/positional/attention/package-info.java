/**
 * Attention on tensors, for every scheme.
 *
 * <p>{@link org.lengthwise.positional.attention.AttentionKernels} holds the loaded kernels of a
 * device; {@link org.lengthwise.positional.attention.Attention#begin} prepares what one forward
 * pass at one length shares between its layers, and the result attends layer by layer.
 *
 * <p>Three kinds of schemes: a bias by distance alone is a table [H, T] ({@link
 * org.lengthwise.positional.attention.DistanceBias}); rotations, windows and FIRE have kernels of
 * their own ({@link org.lengthwise.positional.attention.SingleLevelAttention}); RegularGPT has
 * levels ({@link org.lengthwise.positional.attention.DilatedAttention}). What is added to
 * embeddings is {@link org.lengthwise.positional.attention.PositionEmbedding}. {@link
 * org.lengthwise.positional.attention.PlainAttention} is all of them as their formulas are written.
 *
 * <p>Letters: B batch, T sequence length, d model width, H heads, D = d/H head width, P = D/2
 * pairs, C chunk size, W window, l level. Invariants: biases are computed in float32 and cast last;
 * a bias of all pairs [H, T, T] is laid out only where its gradient is asked for, once for all
 * layers, and FIRE's a block of queries at a time; attention whose bias is not learned in this pass
 * runs in a fused kernel or not at all; sliding-dilated attention costs O(T C).
 */
@NullMarked
package org.lengthwise.positional.attention;

import org.jspecify.annotations.NullMarked;
