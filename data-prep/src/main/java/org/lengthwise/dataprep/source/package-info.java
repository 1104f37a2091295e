/**
 * Document sources: files, folders and archives to a stream of raw documents, in a fixed order.
 *
 * <p>A file's name says how it is read ({@link org.lengthwise.dataprep.source.FileKind}): lines of
 * JSON records, one text, or an archive of either. Of an archive's entries, those are passed over
 * that are empty or binary, by their name or by a zero byte in their first 8 KiB; every other one
 * is a document, good or bad. Whatever the size of the input, no more than one document of it is
 * held at a time.
 *
 * <p>Invariants: documents come in the order of the inputs as given, of sorted names in a folder,
 * of entries in an archive, of lines in a file; each carries its {@link
 * org.lengthwise.dataprep.source.Origin}; every byte of an input is read, so its length and SHA-256
 * are those of the whole file and a cut or damaged tail is noticed. A file that cannot be read to
 * its end is a {@link org.lengthwise.dataprep.DataFormatException}; a document that is bad in
 * itself goes on to the sink and is judged there.
 */
@NullMarked
package org.lengthwise.dataprep.source;

import org.jspecify.annotations.NullMarked;
