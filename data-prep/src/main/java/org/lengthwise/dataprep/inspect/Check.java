package org.lengthwise.dataprep.inspect;

/** How far a shard folder was compared with its manifest. */
public enum Check {
  /** Every shard's size, schema and counts; of its tokens nothing was read. */
  FOOTERS,
  /** Besides, every byte by the shard's checksum. */
  CHECKSUMS
}
