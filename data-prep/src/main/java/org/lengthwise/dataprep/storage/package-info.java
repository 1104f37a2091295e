/**
 * Storage: the local disk, or any file system that Hadoop knows. The URI decides.
 *
 * <p>Invariants: paths without a scheme and {@code file:} URIs are local and load no Hadoop class.
 * Listings are sorted, so files are read in the same order everywhere. The name of a listed file
 * begins with the name that the user gave.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.dataprep.storage;

import org.jspecify.annotations.NullMarked;
