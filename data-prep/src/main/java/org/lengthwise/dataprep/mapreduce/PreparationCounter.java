package org.lengthwise.dataprep.mapreduce;

/** What a job counts, shown by the cluster's own pages beside its built-in counters. */
enum PreparationCounter {
  /** Bytes of stored input that were read, to prepare or to digest. */
  INPUT_BYTES,
  /** Documents that were written. */
  DOCUMENTS,
  /** Tokens that were written, each document's end-of-text included. */
  TOKENS,
  /** The length of all documents in UTF-8. */
  TEXT_BYTES,
  /** Records that were set aside as malformed. */
  REJECTS,
  /** Archive entries that were passed over as binary or empty. */
  PASSED_OVER,
  /** Documents that were left out because their text had occurred before. */
  DUPLICATES,
  /** Units that met bad data, which no further attempt would mend. */
  UNITS_WITH_BAD_DATA
}
