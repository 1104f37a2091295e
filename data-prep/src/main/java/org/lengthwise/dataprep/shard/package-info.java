/**
 * Token shards: a corpus as token ids on disk, written once and mapped into memory.
 *
 * <p>A shard folder holds Arrow IPC files for each {@link org.lengthwise.dataprep.shard.Split
 * split}, and a {@code manifest.json}. {@link org.lengthwise.dataprep.shard.ShardFormat} specifies
 * the files, {@link org.lengthwise.dataprep.shard.ShardWriter} writes them, {@link
 * org.lengthwise.dataprep.shard.ShardFolder} opens them, and {@link
 * org.lengthwise.dataprep.shard.TokenStream} reads a split as one sequence of tokens.
 *
 * <p>Invariants: equal documents in the same order give equal bytes. A token is copied once, from
 * the mapped file into the array of the caller. The opener of a writer or a folder closes it; a
 * buffer that is still in use then is an error.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.dataprep.shard;

import org.jspecify.annotations.NullMarked;
