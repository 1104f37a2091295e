/**
 * Charts as values, and their picture files.
 *
 * <p>A {@link org.lengthwise.plot.Chart} holds everything that a reader sees: axes, series, marks
 * and bands. Two renderers draw it: {@link org.lengthwise.plot.Picture} writes SVG and PNG from one
 * drawing, and the script of a report's page draws the chart's JSON with D3. Both take colours,
 * dashes and markers from {@link org.lengthwise.plot.Palette}.
 *
 * <p>Invariants: this package does not depend on the source of the numbers; the same chart gives
 * the same files, byte for byte, PNG encoders aside.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.plot;

import org.jspecify.annotations.NullMarked;
