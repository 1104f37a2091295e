/**
 * Receptive fields by cumulative gradient: how far back the tokens lie that a prediction depends
 * on.
 *
 * <p>g_n is the gradient of the last position's loss with respect to the input embedding at
 * position n; s_n = ||g_n|| / sum of all; c_n = the sum of s over positions n and later, averaged
 * over chunks of the same weight, each normalised by itself. A straight slanted line means that
 * every position matters; a curve that saturates early means that attention is local. Source: Chi
 * et al., "Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis",
 * ACL 2023.
 *
 * <p>Invariants: a cell, which is one model with one set of weights at one length, is measured as a
 * whole and does not depend on what else is measured with it; at one length every model reads the
 * same chunks; what is published is computed from the gradients in the cells' files.
 *
 * <p>Letters: B batch, T positions, d model width, N chunks.
 */
@NullMarked
package org.lengthwise.eval.receptivefield;

import org.jspecify.annotations.NullMarked;
