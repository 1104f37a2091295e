/**
 * Files and folders that are either whole or not there, and the digests that name their content.
 *
 * <p>Invariants: a name that a reader looks for appears by a rename, after its content has reached
 * the disk; a folder counts as finished if and only if it holds the marker {@code DONE}; what an
 * interrupted run leaves behind carries a name of its own ({@code .NAME.partial}) and is removed by
 * the next run that writes NAME.
 */
@NullMarked
package org.lengthwise.dataprep.artifact;

import org.jspecify.annotations.NullMarked;
