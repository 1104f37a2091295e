package org.lengthwise.training.checkpoint;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.ConfigLoader;

/**
 * The state of a run after a step. The seed and these counters determine all randomness. For an
 * imported model unknown numbers are 0.
 *
 * @param cursor samples drawn from the seeded order
 * @param validationLoss the mean of the task's validation metric after this step; null if it was
 *     not measured
 * @param learnedAt the first step whose validation shows that the task is learned; absent before
 * @param files the SHA-256 of each other file of the checkpoint, in hexadecimal
 */
public record TrainState(
    long step,
    long cursor,
    long tokens,
    long seed,
    GuardState guard,
    @Nullable Double validationLoss,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Long learnedAt,
    Map<String, String> files) {

  /** A state before the task is learned. */
  public TrainState(
      long step,
      long cursor,
      long tokens,
      long seed,
      GuardState guard,
      @Nullable Double validationLoss,
      Map<String, String> files) {
    this(step, cursor, tokens, seed, guard, validationLoss, null, files);
  }

  public TrainState {
    files =
        Collections.unmodifiableMap(
            new TreeMap<>(files)); // sorted, so that equal states have equal bytes
  }

  public static TrainState parse(String json) throws JsonProcessingException {
    return ConfigLoader.strictMapper().readValue(json, TrainState.class);
  }

  /** {@return the state at step 0, before the first step} */
  public static TrainState initial(long seed) {
    return initial(seed, 0);
  }

  /** {@return the state at step 0, after samples that an earlier stage drew} */
  public static TrainState initial(long seed, long cursor) {
    return new TrainState(0, cursor, 0, seed, GuardState.initial(), null, null, Map.of());
  }

  /**
   * {@return the state after one more step, with the samples, the tokens and the guard's state of
   * that step}
   */
  public TrainState next(int numSamples, long numTokens, GuardState watched) {
    return new TrainState(
        step + 1,
        cursor + numSamples,
        tokens + numTokens,
        seed,
        watched,
        null,
        learnedAt,
        Map.of());
  }

  /** {@return this state after a roll-back to it, from which training resumes} */
  public TrainState rolledBack(double learningRateFactor) {
    return new TrainState(
        step,
        cursor,
        tokens,
        seed,
        guard.rolledBack(learningRateFactor),
        validationLoss,
        learnedAt,
        files);
  }

  /** {@return this state with a validation result} */
  public TrainState validated(double loss, boolean isLearned) {
    Long first = learnedAt == null && isLearned ? Long.valueOf(step) : learnedAt;
    return new TrainState(step, cursor, tokens, seed, guard, loss, first, files);
  }

  TrainState with(Map<String, String> checksums) {
    return new TrainState(step, cursor, tokens, seed, guard, validationLoss, learnedAt, checksums);
  }
}
