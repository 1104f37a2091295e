package org.lengthwise.dataprep.storage;

/** A file of a storage, with its length at the time of the listing. */
public record StoredFile(String uri, long bytes) {}
