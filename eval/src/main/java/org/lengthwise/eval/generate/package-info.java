/**
 * Text from a model: a distribution over the next token, a draw from it, and the text so far, step
 * by step.
 *
 * <p>Invariants: the same weights, prompt, settings and seed give the same tokens on the same
 * machine; a character is shown when all of its bytes are there, never a part of it.
 *
 * <p>Letters: B batch (1), T tokens read, d model width, V vocabulary. Source of top-p: Holtzman et
 * al., "The Curious Case of Neural Text Degeneration", ICLR 2020.
 */
@NullMarked
package org.lengthwise.eval.generate;

import org.jspecify.annotations.NullMarked;
