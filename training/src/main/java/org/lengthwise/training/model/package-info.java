/**
 * The language model: a GPT-2 decoder without absolute positions, whose attention is given by a
 * positional scheme.
 *
 * <p>Token embedding (tied with the output projection), K distinct pre-LayerNorm blocks executed L
 * times over, final LayerNorm. Source: Radford et al., "Language Models are Unsupervised Multitask
 * Learners", 2019, with the positions of {@link org.lengthwise.positional}.
 *
 * <p>Letters: B batch, T sequence length, d model width, H heads, V vocabulary, K distinct blocks,
 * L levels, N rows. Linear weights are [out, in].
 */
@NullMarked
package org.lengthwise.training.model;

import org.jspecify.annotations.NullMarked;
