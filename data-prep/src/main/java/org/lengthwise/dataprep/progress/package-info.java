/**
 * How long work shows how far it is: a line on a terminal, log lines elsewhere.
 *
 * <p>Invariants: reporting never changes what is computed; outside a terminal nothing is
 * overwritten, and a task logs at most once in ten seconds beside its start and its end.
 */
@NullMarked
package org.lengthwise.dataprep.progress;

import org.jspecify.annotations.NullMarked;
