package org.lengthwise.training.checkpoint;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far a run has come. All its randomness follows from the seed and these counters.
 *
 * @param step finished steps
 * @param cursor windows drawn from the seeded order
 * @param tokens tokens trained on
 * @param seed the run's seed
 * @param files the SHA-256 of each file beside this one, in hexadecimal
 */
public record TrainState(
    long step, long cursor, long tokens, long seed, Map<String, String> files) {

  /** Checks the values. */
  public TrainState {
    files =
        Collections.unmodifiableMap(new TreeMap<>(files)); // in order: equal states, equal bytes
  }

  /**
   * The state before the first step.
   *
   * @param seed the run's seed
   * @return a state of zeros
   */
  public static TrainState initial(long seed) {
    return new TrainState(0, 0, 0, seed, Map.of());
  }

  /**
   * The state after one more step.
   *
   * @param windows the windows it drew
   * @param length T
   * @return the next state
   */
  public TrainState next(int windows, int length) {
    return new TrainState(
        step + 1, cursor + windows, tokens + (long) windows * length, seed, Map.of());
  }

  TrainState with(Map<String, String> checksums) {
    return new TrainState(step, cursor, tokens, seed, checksums);
  }
}
