package org.lengthwise.training.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.config.ConfigLoader;

/**
 * How far a run has come. All its randomness follows from the seed and these counters. Of an
 * imported model, what is not known is 0.
 *
 * @param step finished steps
 * @param cursor windows drawn from the seeded order
 * @param tokens tokens trained on
 * @param seed the run's seed
 * @param guard what the run was watched by, and what came of it
 * @param validationLoss the mean negative log-likelihood after this step in nats; null if it was
 *     not measured
 * @param files the SHA-256 of each file beside this one, in hexadecimal
 */
public record TrainState(
    long step,
    long cursor,
    long tokens,
    long seed,
    GuardState guard,
    @Nullable Double validationLoss,
    Map<String, String> files) {

  /** Checks the values. */
  public TrainState {
    files =
        Collections.unmodifiableMap(new TreeMap<>(files)); // in order: equal states, equal bytes
  }

  /**
   * Reads a state.
   *
   * @param json the state as JSON
   * @return the state
   * @throws JsonProcessingException if it is none that this release writes
   */
  public static TrainState parse(String json) throws JsonProcessingException {
    return ConfigLoader.strictMapper().readValue(json, TrainState.class);
  }

  /**
   * The state before the first step.
   *
   * @param seed the run's seed
   * @return a state of zeros
   */
  public static TrainState initial(long seed) {
    return new TrainState(0, 0, 0, seed, GuardState.initial(), null, Map.of());
  }

  /**
   * The state after one more step.
   *
   * @param windows the windows it drew
   * @param length T
   * @param watched what the guard knows after it
   * @return the next state
   */
  public TrainState next(int windows, int length, GuardState watched) {
    return new TrainState(
        step + 1,
        cursor + windows,
        tokens + (long) windows * length,
        seed,
        watched,
        null,
        Map.of());
  }

  /**
   * The same place of a run that came back to it.
   *
   * @param learningRateFactor what its learning rate is multiplied by from now on
   * @return the state to go on from
   */
  public TrainState rolledBack(double learningRateFactor) {
    return new TrainState(
        step, cursor, tokens, seed, guard.rolledBack(learningRateFactor), validationLoss, files);
  }

  /**
   * The same state, measured.
   *
   * @param loss the validation loss after this step in nats
   * @return the state with it
   */
  public TrainState validated(double loss) {
    return new TrainState(step, cursor, tokens, seed, guard, loss, files);
  }

  TrainState with(Map<String, String> checksums) {
    return new TrainState(step, cursor, tokens, seed, guard, validationLoss, checksums);
  }
}
