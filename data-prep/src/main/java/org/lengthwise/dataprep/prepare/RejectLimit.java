package org.lengthwise.dataprep.prepare;

import org.lengthwise.error.DataFormatException;

/**
 * The largest number of malformed records before a preparation stops.
 *
 * @param numRecords the most that are rejected; 0 stops at the first
 */
public record RejectLimit(int numRecords) {

  private static final String NEXT =
      "correct the input, or raise reject_limit in the configuration";

  void requireRoomFor(DocumentFate.Rejected rejected, long numBefore) {
    if (numBefore >= numRecords) {
      String which = numRecords == 0 ? "one: " : "one more: ";
      throw new DataFormatException(
          rejected.origin().toString(), expected(), which + rejected.reason(), NEXT);
    }
  }

  /**
   * Stops if there are more rejects than the limit.
   *
   * @param when words that follow the number in the message
   */
  public void requireHeld(long count, String where, String when) {
    requireHeld(count, where, when, NEXT);
  }

  void requireHeld(long count, String where, String when, String next) {
    if (count > numRecords) {
      throw new DataFormatException(where, expected(), count + " " + when, next);
    }
  }

  private String expected() {
    return numRecords == 0 ? "no malformed record" : "at most " + numRecords + " malformed records";
  }
}
