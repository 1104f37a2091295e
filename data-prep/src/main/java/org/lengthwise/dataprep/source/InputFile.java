package org.lengthwise.dataprep.source;

import org.lengthwise.dataprep.storage.Storage;

/**
 * A file that documents are read from.
 *
 * @param storage what holds it
 * @param uri where it lies, as the user named it
 * @param name the part of that which does not depend on where the corpus is kept: the file's name,
 *     preceded by the path from the named folder on when a folder was named
 * @param bytes its length when it was found
 * @param kind how it is read
 */
record InputFile(Storage storage, String uri, String name, long bytes, FileKind kind) {}
