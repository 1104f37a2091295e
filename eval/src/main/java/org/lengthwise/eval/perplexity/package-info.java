/**
 * Last-token perplexity: how well a model predicts one token from ever longer contexts.
 *
 * <p>A chunk is T_ex consecutive tokens of the test split; the model reads all but the last and is
 * scored on that last one, so every scored token has T_ex - 1 tokens of context. Perplexity is the
 * exponential of the mean negative log-likelihood, summed in double precision. Contexts run over
 * document boundaries.
 *
 * <p>Letters: B batch, T positions read (T_ex - 1), d model width, H heads. Source: Chi et al.,
 * "Transformer Working Memory Enables Regular Language Reasoning and Natural Language Length
 * Extrapolation", Findings of EMNLP 2023, section 5; Press et al., ICLR 2022, on the early-token
 * curse.
 */
@NullMarked
package org.lengthwise.eval.perplexity;

import org.jspecify.annotations.NullMarked;
