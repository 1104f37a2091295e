/**
 * Language models. Trainer and measurements use a model only through the interface {@link
 * org.lengthwise.model.LanguageModel}.
 *
 * <p>Its implementation is a decoder in which a positional scheme defines the attention: token
 * embedding (tied with the output projection), K distinct pre-LayerNorm blocks executed at each of
 * L levels, final LayerNorm. {@link org.lengthwise.model.DecoderForm} has the options of other
 * papers, and a classifier has an output of its own. {@link org.lengthwise.model.ModelConfig.Kind}
 * has a recurrent network, which is a classifier too. Source: Radford et al., "Language Models are
 * Unsupervised Multitask Learners", 2019, with the positions of {@link org.lengthwise.positional}.
 *
 * <p>{@link org.lengthwise.model.Recurrence} says whether the blocks run chunk by chunk, and what
 * is carried between chunks.
 *
 * <p>Letters: B batch, T sequence length, d model width (hidden size), H heads, V vocabulary, K
 * distinct blocks, L levels, N rows, S rows of a strided selection, [n] rows that a level needs.
 * With a recurrence: C positions of a chunk, M chunks, R positions of a row, N passes, S states.
 * Linear weights are [out, in].
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.model;

import org.jspecify.annotations.NullMarked;
