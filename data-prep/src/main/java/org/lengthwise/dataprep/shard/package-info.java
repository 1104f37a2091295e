/**
 * Token shards: a corpus as token ids on disk, written once and read by memory mapping.
 *
 * <p>A shard folder holds, for each {@link org.lengthwise.dataprep.shard.Split split}, Arrow IPC
 * files and, for the whole, a {@code manifest.json}. {@link
 * org.lengthwise.dataprep.shard.ShardFormat} specifies the files, {@link
 * org.lengthwise.dataprep.shard.ShardWriter} writes them, {@link
 * org.lengthwise.dataprep.shard.ShardFolder} opens them, and {@link
 * org.lengthwise.dataprep.shard.TokenStream} reads a split as one sequence of tokens.
 *
 * <p>Invariants: the same documents in the same order give the same bytes; no token is copied
 * between the file and the array that a reader asked to be filled; whoever opens a writer or a
 * folder closes it, and a buffer that outlives it is an error.
 */
@NullMarked
package org.lengthwise.dataprep.shard;

import org.jspecify.annotations.NullMarked;
