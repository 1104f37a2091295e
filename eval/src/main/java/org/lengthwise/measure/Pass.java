package org.lengthwise.measure;

/**
 * The forward passes of a measurement over sequences of one length, by which its time is estimated.
 *
 * @param length T, the positions of a sequence
 * @param sequences their number; a pass with its gradient counts as {@link #WITH_GRADIENT}
 */
public record Pass(int length, long sequences, boolean lastOnly) {
  /** Two forward passes, and a backward pass that costs as much as two. */
  public static final int WITH_GRADIENT = 4;
}
