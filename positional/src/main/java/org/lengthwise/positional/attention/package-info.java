/**
 * Attention on tensors, for every scheme.
 *
 * <p>{@link org.lengthwise.positional.attention.AttentionKernels} holds the loaded kernels of a
 * device. {@link org.lengthwise.positional.attention.Attention#begin} prepares what the layers of a
 * forward pass share; then each layer attends. The scheme's {@link
 * org.lengthwise.positional.AttentionForm} decides the implementation: no bias ({@link
 * org.lengthwise.positional.attention.UnbiasedAttention}), a bias by distance ({@link
 * org.lengthwise.positional.attention.BiasedAttention}), a window ({@link
 * org.lengthwise.positional.attention.WindowAttention}), rotation ({@link
 * org.lengthwise.positional.attention.RotaryAttention}, with windows {@link
 * org.lengthwise.positional.attention.RotaryWindowAttention}), a bias by query ({@link
 * org.lengthwise.positional.attention.FireAttention}), scores by query and distance ({@link
 * org.lengthwise.positional.attention.ContentAttention}), a user's formula ({@link
 * org.lengthwise.positional.attention.FormulaAttention}), weights by rows ({@link
 * org.lengthwise.positional.attention.RowAttention}), a scheme for each layer ({@link
 * org.lengthwise.positional.attention.LayersAttention}) or dilated levels ({@link
 * org.lengthwise.positional.attention.DilatedAttention}). {@link
 * org.lengthwise.positional.attention.GroupedAttention} repeats keys and values of fewer heads.
 * {@link org.lengthwise.positional.attention.PositionEmbedding} is added to token embeddings.
 * {@link org.lengthwise.positional.attention.PlainAttention} computes every form literally from its
 * formula. {@link org.lengthwise.positional.attention.AttentionMemory} states the memory of each
 * form.
 *
 * <p>A scheme at sampled positions has tables of its whole range, of which a {@linkplain
 * org.lengthwise.positional.attention.Attention.Pass pass} selects T rows or columns.
 *
 * <p>Letters: B batch, T sequence length, d model width, H heads, G heads of keys and values, D
 * head width, d = H D, R rotated numbers of a head, P = R/2 pairs, C chunk size, W window, l level.
 *
 * <p>Invariants: biases are computed in float32 and cast last. A bias of all pairs [H, T, T] is
 * stored only if the pass computes its gradient, once for all layers; FIRE's bias is computed for
 * one block of queries at a time. Attention whose bias is fixed in a pass runs in a fused kernel,
 * or it fails. Sliding-dilated attention costs O(T C).
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.positional.attention;

import org.jspecify.annotations.NullMarked;
