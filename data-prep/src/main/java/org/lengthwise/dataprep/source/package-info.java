/**
 * Document sources: files, folders and archives as an iterator of raw documents, in a fixed order.
 * Shards as token files of other programs, which are also read here.
 *
 * <p>A file's name says how it is read ({@link org.lengthwise.dataprep.source.FileKind}): as lines
 * of JSON records, as one text, as an archive of either, or as a Parquet file with a document in
 * each row. {@link org.lengthwise.dataprep.source.Reading} says that files hold tokens. Archive
 * entries that are empty or binary are marked as no text; an entry is binary if its extension is
 * that of a binary format, or if there is a zero byte in its first 8 KiB. Every other entry is a
 * document, valid or not. At most one document is in memory at a time, for any size of the input;
 * of a Parquet file, also the packed text of one row group.
 *
 * <p>Invariants: documents come in the order of the given inputs, of sorted names in a folder, of
 * entries in an archive, and of lines in a file. Each has its {@link
 * org.lengthwise.dataprep.source.DocumentOrigin}. Every byte of an input is read, so its length and
 * SHA-256 are those of the whole file, and a truncated or damaged end is detected. Of a Parquet
 * file only the footer and the text column are read, and the SHA-256 is of these bytes. A file that
 * cannot be read to its end is a {@link org.lengthwise.error.DataFormatException}. A document that
 * is malformed is returned like any other; the reader of the document rejects it.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.dataprep.source;

import org.jspecify.annotations.NullMarked;
