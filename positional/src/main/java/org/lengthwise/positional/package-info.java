/**
 * Positional schemes: the part of a model that decides whether the model extrapolates in length.
 *
 * <p>A {@link org.lengthwise.positional.PositionalScheme} states what a position adds to a token's
 * embedding, how it rotates queries and keys, which keys a query sees, and which bias is added to
 * their scores. Each of these exists twice: as a plain-double reference on the scheme's record, and
 * on tensors. The table of a {@link org.lengthwise.positional.DistanceBias} on tensors is on the
 * record too; all other code on tensors is in {@code org.lengthwise.positional.attention}. A scheme
 * says its form of attention once, by {@link org.lengthwise.positional.AttentionForm}.
 *
 * <p>Letters: B batch, T sequence length, d model width, H heads, D = d/H head width, P pairs, C
 * chunk size, K number of blocks, W window, l level, delta = m - n the distance of key n from query
 * m. Positions count from 0.
 *
 * <p>Source: Chi, Fan, Rudnicky and Ramadge, "Transformer Working Memory Enables Regular Language
 * Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, and the papers that
 * each scheme names.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.positional;

import org.jspecify.annotations.NullMarked;
