package org.lengthwise.dataprep.storage;

/**
 * A file that a storage holds.
 *
 * @param uri its name, as a URI or a local path
 * @param bytes its length when it was listed
 */
public record StoredFile(String uri, long bytes) {}
