/**
 * Perplexity beyond the training length: how well a model predicts tokens from ever longer
 * contexts.
 *
 * <p>A window is T_ex consecutive tokens of the test split; the model reads all but the last. A
 * protocol places windows and scores the last tokens of each: one of them ({@code aligned}, {@code
 * independent}), as many as a stride ({@code sliding-window}), or all but the first ({@code
 * non-overlapping}, {@code by-position}); docs/protocols.md defines them. Perplexity is the
 * exponential of the mean negative log-likelihood, summed in double precision.
 *
 * <p>Invariants: data, lengths, protocol and seed decide the windows, the model never does; every
 * number can be recomputed from the rows stored beside it; a window runs over document boundaries
 * unless it is drawn within documents; a finished cell (checkpoint, protocol, length) is never
 * measured again.
 *
 * <p>Letters: B batch, T positions read (T_ex - 1), d model width, H heads, N targets of a batch, R
 * some of them. Source: Chi et al., "Transformer Working Memory Enables Regular Language Reasoning
 * and Natural Language Length Extrapolation", Findings of EMNLP 2023, section 5; Press et al., ICLR
 * 2022, on the early-token curse and sliding windows.
 */
@NullMarked
package org.lengthwise.eval.perplexity;

import org.jspecify.annotations.NullMarked;
