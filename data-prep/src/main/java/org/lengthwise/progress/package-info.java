/**
 * Progress of long work: one line on a terminal, log lines elsewhere. Also what the work may use:
 * processors and memory.
 *
 * <p>Invariants: showing progress never changes a result. Log lines come at most every ten seconds,
 * except for the first and the last line.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.progress;

import org.jspecify.annotations.NullMarked;
