/**
 * Training sequences: windows of T + 1 tokens drawn from a split without replacement, in an order
 * that a seed and a position decide, so that a run resumes exactly from one number.
 *
 * <p>Letters: B batch, T sequence length.
 */
@NullMarked
package org.lengthwise.training.data;

import org.jspecify.annotations.NullMarked;
