/**
 * Answers of language models: how often a model continues a question with the right tokens.
 *
 * <p>A document of the test split is {@code x SEP y} and its end of text. The question x and the
 * separator are given; the answer is y with the end of text. The model reads an end of text before
 * x, as in training, and the right tokens of the answer (teacher forcing); a token is right if it
 * has the highest logit.
 *
 * <p>Letters: B batch, T positions read, A tokens of an answer, d width, V vocabulary.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.measure.answers;

import org.jspecify.annotations.NullMarked;
