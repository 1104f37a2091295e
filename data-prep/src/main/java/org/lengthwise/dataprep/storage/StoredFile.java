package org.lengthwise.dataprep.storage;

/**
 * A file of a storage.
 *
 * @param bytes its length at the time of the listing
 */
public record StoredFile(String uri, long bytes) {}
