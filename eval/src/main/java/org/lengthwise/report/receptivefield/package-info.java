/**
 * The part of a report on receptive fields: curves of the cumulative gradient, effective and
 * theoretical fields, and the share of each tenth of a string.
 *
 * <p>Invariant: fields are compared only over samples of one task and length.
 *
 * <p>Legend: T = the length of a sample.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.report.receptivefield;

import org.jspecify.annotations.NullMarked;
