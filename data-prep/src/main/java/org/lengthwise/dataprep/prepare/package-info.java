/**
 * Preparation: a corpus of documents to a folder of token shards.
 *
 * <p>One thread reads raw documents and submits them in batches. Worker threads, by default one per
 * core, parse, hash and tokenise a batch each. The first thread takes the results in the order of
 * reading and writes them. So reading, tokenising and writing overlap, the output has the same
 * bytes for any number of threads, and the documents in flight are bounded in bytes for any corpus.
 *
 * <p>From time to time the {@linkplain org.lengthwise.dataprep.prepare.ResumableOutput output}
 * saves a resume point between two documents: all output before it is forced to the disk, and the
 * offset and the lengths of all files are stored. The next attempt at the same preparation
 * truncates the files at the resume point and continues there.
 *
 * <p>Invariants: resume points and interruptions do not change the bytes of the output. If
 * duplicates are dropped, the first of equal texts stays. The split of a document depends on its
 * text alone. Every record that is read is counted as a document, a duplicate, a reject, or a
 * binary or empty archive entry; an entry that is neither binary nor empty, but is not UTF-8, is a
 * reject. The run stops without an output if there are more rejects than the limit. A finished
 * output is never written again.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.dataprep.prepare;

import org.jspecify.annotations.NullMarked;
