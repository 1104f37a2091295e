package org.lengthwise.dataprep.storage;

/**
 * A file of a storage, with its length at the time of the listing.
 *
 * @param bytes the length, or {@link #LINK_WITHOUT_FILE}
 */
public record StoredFile(String uri, long bytes) {
  /** In place of the length of a link to a file that does not exist. */
  public static final long LINK_WITHOUT_FILE = -1;
}
