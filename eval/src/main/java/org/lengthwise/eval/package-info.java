/**
 * Measuring models beyond the length they were trained with, and the command line over the whole
 * pipeline.
 *
 * <p>Packages: {@link org.lengthwise.eval.result} what was measured, {@link
 * org.lengthwise.eval.report} tables and plots of it, {@link org.lengthwise.eval.cli} the commands.
 */
@NullMarked
package org.lengthwise.eval;

import org.jspecify.annotations.NullMarked;
