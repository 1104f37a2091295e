package org.lengthwise.dataprep.prepare;

import org.lengthwise.config.Checks;

/**
 * The counts of written, rejected, skipped and dropped documents of a preparation, or of a part of
 * it.
 *
 * @param textBytes the length of all written documents in UTF-8
 * @param skipped the number of archive entries that were skipped because they hold no text
 */
public record Tally(long textBytes, long rejects, long skipped, long duplicates) {

  public static final Tally ZERO = new Tally(0, 0, 0, 0);

  public Tally {
    Checks.atLeast("text_bytes", textBytes, 0);
    Checks.atLeast("rejects", rejects, 0);
    Checks.atLeast("skipped", skipped, 0);
    Checks.atLeast("duplicates", duplicates, 0);
  }

  public Tally plus(Tally other) {
    return new Tally(
        textBytes + other.textBytes,
        rejects + other.rejects,
        skipped + other.skipped,
        duplicates + other.duplicates);
  }

  Tally withDocument(int numBytes) {
    return plus(new Tally(numBytes, 0, 0, 0));
  }

  Tally withReject() {
    return plus(new Tally(0, 1, 0, 0));
  }

  Tally withSkipped() {
    return plus(new Tally(0, 0, 1, 0));
  }

  Tally withDuplicate() {
    return plus(new Tally(0, 0, 0, 1));
  }
}
