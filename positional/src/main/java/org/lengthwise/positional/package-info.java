/**
 * Positional schemes: the one part of a model that decides whether it extrapolates in length.
 *
 * <p>A {@link org.lengthwise.positional.PositionalScheme} says what a position adds to a token's
 * embedding, how it turns queries and keys, which keys a query sees, and what is added to their
 * score. Each stands twice: as a plain-double reference on the record itself, and as tensors in
 * {@code org.lengthwise.positional.attention}. A bias is a function of head, level, query and
 * distance; under all schemes but FIRE the query does not matter, so a table by distance holds it.
 *
 * <p>Letters: B batch, T sequence length, d model width, H heads, D = d/H head width, C chunk size,
 * K thickness, W window, l level, delta = m - n the distance of key n from query m. Positions count
 * from 0.
 *
 * <p>Source: Chi, Fan, Rudnicky and Ramadge, "Transformer Working Memory Enables Regular Language
 * Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, and the papers
 * named at each scheme.
 */
@NullMarked
package org.lengthwise.positional;

import org.jspecify.annotations.NullMarked;
