/**
 * The content of a shard folder for the command {@code inspect}: counts, lengths, and the
 * beginnings of its first documents.
 *
 * <p>Legend: the length of a document is its number of tokens, with end-of-text. A bin contains the
 * lengths from a power of two up to, but not including, the next.
 *
 * <p>Invariant: only the footer of a shard, the lengths of its documents and the sample are read.
 * Only a verification reads a shard in full.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.dataprep.inspect;

import org.jspecify.annotations.NullMarked;
