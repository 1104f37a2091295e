package org.lengthwise.dataprep.mapreduce;

/** The counters of a job. The cluster's pages show them with Hadoop's own. */
enum PreparationCounter {
  /** Bytes of stored input that were read. */
  INPUT_BYTES,
  DOCUMENTS,
  /** Tokens that were written, including end-of-text tokens. */
  TOKENS,
  /** The length of all documents in UTF-8. */
  TEXT_BYTES,
  REJECTS,
  /** Archive entries without text that were skipped. */
  SKIPPED,
  /** Documents that were dropped because their text occurred before. */
  DUPLICATES,
  /** Units with bad data, which no further attempt can correct. */
  UNITS_WITH_BAD_DATA
}
