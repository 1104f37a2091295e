/**
 * Perplexity beyond the training length: how well a model predicts tokens from contexts of growing
 * length.
 *
 * <p>A window is T_ex consecutive tokens of the test split; the model reads all tokens except the
 * last. A protocol draws windows and scores the last tokens of each: one token ({@code aligned},
 * {@code independent}), as many tokens as a stride ({@code sliding-window}), or all tokens except
 * the first ({@code non-overlapping}, {@code by-position}); docs/reference/protocols.md defines the
 * protocols. Perplexity is the exponential of the mean negative log-likelihood, summed in double
 * precision.
 *
 * <p>Invariants: data, lengths, protocol and seed decide the windows, the model does not; every
 * number can be recomputed from the stored rows; windows cross document boundaries unless they are
 * drawn within documents.
 *
 * <p>Letters: B batch, T positions read (T_ex - 1), d model width, N targets of a batch, R rows of
 * logits in one part. Source: Chi et al., "Transformer Working Memory Enables Regular Language
 * Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, section 5; Press et
 * al., ICLR 2022, on the early-token curse and sliding windows.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.measure.perplexity;

import org.jspecify.annotations.NullMarked;
