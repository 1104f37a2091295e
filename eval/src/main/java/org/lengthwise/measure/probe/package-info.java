/**
 * The zero-shot passkey: whether a language model, without any training for it, finds a key that
 * stands in a text.
 *
 * <p>Invariants: seed, length, depth and tokenizer decide the prompts, so they are the same for all
 * models of a tokenizer. A control shows what the keys alone are worth.
 *
 * <p>Source: Mohtashami and Jaggi, "Landmark Attention", NeurIPS 2023.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.measure.probe;

import org.jspecify.annotations.NullMarked;
