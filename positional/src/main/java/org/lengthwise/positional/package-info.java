/**
 * Positional schemes: the one part of a model that decides whether it extrapolates in length.
 *
 * <p>A {@link org.lengthwise.positional.PositionalScheme} says how far apart two tokens are allowed
 * to be and what the distance adds to their attention score. Every scheme here is a function of
 * head, level and distance alone, so each stands twice: as a plain-double reference on the record
 * itself, and as tensors in {@code org.lengthwise.positional.attention}.
 *
 * <p>Letters: B batch, T sequence length, d model width, H heads, D = d/H head width, C chunk size,
 * K thickness, l level, delta = m - n the distance of key n from query m.
 *
 * <p>Source: Chi, Fan, Rudnicky and Ramadge, "Transformer Working Memory Enables Regular Language
 * Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, and the papers
 * named at each scheme.
 */
@NullMarked
package org.lengthwise.positional;

import org.jspecify.annotations.NullMarked;
