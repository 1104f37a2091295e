/**
 * N-gram language models: predictions from only the last few tokens, as a baseline for neural
 * models, and as the weights of a decoder.
 *
 * <p>Letters: N tokens, n order, V vocabulary, k the length of a gram, 1 to n; a gram is a context
 * h of k - 1 tokens and the token w after it; a(g) the count of a gram, defined in {@link
 * org.lengthwise.ngram.KneserNey}; a history is the context of all n - 1 tokens or a known suffix
 * of it.
 *
 * <p>Invariant: counts are exact, and need memory outside the Java heap in proportion to N.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.ngram;

import org.jspecify.annotations.NullMarked;
