package org.lengthwise.eval.result;

/**
 * What was measured: one checkpoint of one seed of one run.
 *
 * @param run the run's name, the same over its seeds, such as {@code regulargpt-16-2}
 * @param scheme the positional scheme, such as {@code alibi} or {@code regulargpt}
 * @param seed the seed the model was trained with
 * @param path where the checkpoint lay, for the reader's eye only
 * @param step the optimiser step of the checkpoint, at least 0
 * @param trainLength T_tr, the training length in tokens
 * @param model its model
 */
public record EvaluatedCheckpoint(
    String run,
    String scheme,
    long seed,
    String path,
    long step,
    int trainLength,
    EvaluatedModel model) {
  /** Checks the names and numbers. */
  public EvaluatedCheckpoint {
    Checks.name("run", run);
    Checks.name("scheme", scheme);
    Checks.atLeast("step", step, 0);
    Checks.atLeast("train_length", trainLength, 1);
  }
}
