/**
 * The language of formula schemes: a bias and a visibility condition as text that a user writes.
 *
 * <p>{@link org.lengthwise.positional.formula.FormulaText} reads a text with a parser that ANTLR
 * generates from {@code Formula.g4}, and checks it. The result is an {@link
 * org.lengthwise.positional.formula.Expression}, a tree of constants, variables, parameters and
 * {@linkplain org.lengthwise.positional.formula.Operation operations}. The tree is computed twice:
 * by {@link org.lengthwise.positional.formula.Evaluation} in plain doubles for one pair of
 * positions, and by the TorchScript that {@link org.lengthwise.positional.formula.KernelText}
 * writes.
 *
 * <p>Invariants: a tree holds no name that a user chose except those of parameters and of the
 * variables of sums, and the TorchScript contains neither. So a formula can reach no file, network
 * or code. Length, nesting and the number of operations after sums are written out are limited.
 *
 * <p>Letters: T length, H heads, D head width, m query, n key, delta = m - n, h = 1..H, S the
 * entries of a parameter with a size.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.positional.formula;

import org.jspecify.annotations.NullMarked;
