/**
 * Files and folders that are either whole or not there, and the digests that name their content.
 *
 * <p>Invariants: a name that a reader looks for appears by a rename, after its content has reached
 * the disk; a folder counts as finished if and only if it holds the marker {@code DONE}; what a
 * killed run leaves behind carries names of its own ({@code .NAME.partial}, {@code .NAME.lock}),
 * and the next run that writes NAME removes it or, where the artifact is written resumably, goes on
 * with it; no two processes write the same folder at once.
 */
@NullMarked
package org.lengthwise.dataprep.artifact;

import org.jspecify.annotations.NullMarked;
