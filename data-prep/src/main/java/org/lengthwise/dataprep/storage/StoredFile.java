package org.lengthwise.dataprep.storage;

/**
 * A file of a storage.
 *
 * @param uri its URI or local path
 * @param bytes its length at the time of the listing
 */
public record StoredFile(String uri, long bytes) {}
