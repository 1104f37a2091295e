package org.lengthwise.recall;

import org.lengthwise.config.Checks;

/**
 * A string with its answers. The three arrays have length T.
 *
 * @param ids the tokens that a model reads
 * @param targets the token to predict after reading {@code ids[0..t]}; {@link #NONE} without one
 * @param distance how many places before t the answer stands; {@link #NONE} without a target
 */
@SuppressWarnings("ArrayRecordComponent") // Read in loops, and never compared.
public record RecallString(int[] ids, int[] targets, int[] distance) {
  public static final int NONE = -1;

  public RecallString {
    Checks.require(
        targets.length == ids.length, "targets", ids.length + " numbers", targets.length);
    Checks.require(
        distance.length == ids.length, "distance", ids.length + " numbers", distance.length);
  }

  boolean asks(int t) {
    return targets[t] != NONE;
  }
}
