/**
 * Where files lie: the local disk, or any file system that Hadoop knows, told apart by the URI.
 *
 * <p>Invariants: a path without a scheme and a {@code file:} URI are local and touch no Hadoop
 * class, so local work starts at once; listings are sorted, so what is read in their order is read
 * in the same order everywhere; files come back under the name that the user gave, with what lies
 * below it appended.
 */
@NullMarked
package org.lengthwise.dataprep.storage;

import org.jspecify.annotations.NullMarked;
