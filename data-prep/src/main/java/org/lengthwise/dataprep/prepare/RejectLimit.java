package org.lengthwise.dataprep.prepare;

import org.lengthwise.dataprep.DataFormatException;

/**
 * How many records may be set aside as malformed before a preparation stops.
 *
 * @param numRecords the most that may be; 0 stops at the first
 */
public record RejectLimit(int numRecords) {

  private static final String NEXT = "mend the input, or raise reject_limit in the configuration";

  /**
   * Stops at a record that is one too many.
   *
   * @param numBefore how many were set aside before it
   */
  void requireRoomFor(Outcome.Rejected rejected, int numBefore) {
    if (numBefore >= numRecords) {
      String which = numRecords == 0 ? "one: " : "one more: ";
      throw new DataFormatException(
          rejected.origin().toString(), expected(), which + rejected.reason(), NEXT);
    }
  }

  /**
   * Stops when too many have been set aside.
   *
   * @param count how many
   * @param where the inputs, or what was made of them
   * @param when at what point, to be read after the number
   * @throws DataFormatException if they are too many
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
