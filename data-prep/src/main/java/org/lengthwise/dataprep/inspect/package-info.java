/**
 * What a shard folder holds, for people and for scripts: counts, lengths, and how its first
 * documents begin.
 *
 * <p>Legend: the length of a document is its number of tokens, end-of-text included; a bin of
 * lengths reaches from a power of two up to, but not including, the next.
 *
 * <p>Invariants: of a shard no more is read than its footer, the lengths of its documents and the
 * sample; only a verification reads it in full.
 */
@NullMarked
package org.lengthwise.dataprep.inspect;

import org.jspecify.annotations.NullMarked;
