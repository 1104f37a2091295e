/**
 * Receptive fields by cumulative gradient: how far back a prediction, or the label of a string,
 * depends on the input.
 *
 * <p>g_n is the gradient of the last position's loss with respect to the input embedding at
 * position n; s_n = ||g_n|| / sum of all; c_n = the sum of s over positions n and later, averaged
 * over samples, each normalised separately. A straight slanted line means that every position
 * matters; a curve that saturates early means that attention is local. Source: Chi et al.,
 * "Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis", ACL 2023.
 *
 * <p>Invariants: the result of a cell (one model with one set of weights at one length) does not
 * depend on other cells; at one length every model reads the same samples; curves are computed from
 * the stored gradients.
 *
 * <p>Letters: B batch, T positions, d model width, N samples.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.measure.receptivefield;

import org.jspecify.annotations.NullMarked;
