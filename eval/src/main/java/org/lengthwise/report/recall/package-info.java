/**
 * The part of a report on recall tasks: accuracy against length and by distance, heat maps, and
 * verdicts.
 *
 * <p>Invariant: a model that has not learned its task is grey everywhere, and has no other verdict.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.report.recall;

import org.jspecify.annotations.NullMarked;
