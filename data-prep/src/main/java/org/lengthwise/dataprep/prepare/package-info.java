/**
 * Preparation: a corpus of documents to a folder of token shards.
 *
 * <p>One thread reads raw documents and cuts them into batches; as many threads as there are cores
 * decode, check, hash and tokenise a batch each; the first thread takes the results back in the
 * order of reading and writes them. So reading, tokenising and writing overlap, the output is the
 * same bytes for any number of threads, and what is in flight is bounded in bytes whatever the
 * corpus.
 *
 * <p>Now and then, between two documents, an {@link org.lengthwise.dataprep.prepare.Attempt
 * attempt} sets a checkpoint: everything before the place has reached the disk, and what is needed
 * to go on from there is noted. The next attempt at the same job cuts the output back to it and
 * reads on.
 *
 * <p>Invariants: the output is the same bytes wherever checkpoints were set and however often it
 * was interrupted; of equal texts, if they are left out, the first stays; the split of a document
 * depends on its text alone; every record that is read ends as a document, as a counted duplicate
 * of one, as a line of the rejects file, or as a counted archive entry that is binary or empty,
 * which an entry that is merely not UTF-8 is not; beyond the configured number of rejects the run
 * stops and no output appears; a finished output is never written again.
 */
@NullMarked
package org.lengthwise.dataprep.prepare;

import org.jspecify.annotations.NullMarked;
