package org.lengthwise.eval.result;

import org.lengthwise.dataprep.BuildInfo;

/**
 * The receptive field of one checkpoint at one length, beside that of the same model before
 * training: one line of {@code receptive-fields.jsonl}.
 *
 * @param formatVersion the version of this record, {@link #FORMAT_VERSION}
 * @param run the run's name, the same over its seeds
 * @param scheme the positional scheme
 * @param seed the seed the model was trained with
 * @param checkpoint where the checkpoint lay, for the reader's eye only
 * @param step the optimiser step of the checkpoint
 * @param trainLength T_tr, the training length in tokens
 * @param length T, the positions of each chunk
 * @param samples over how many chunks the curves are averaged
 * @param targetsSha256 {@link GradientNorms#targetsSha256()}, the same where the same chunks were
 *     read
 * @param dataSha256 a digest that names the test tokens
 * @param theoretical the theoretical receptive field: how many of the most recent positions the
 *     last one can depend on at all, by the scheme and the depth, at most T
 * @param trained the trained model's curve
 * @param untrained the curve of the same model as initialised
 * @param build the software that measured
 */
public record ReceptiveFieldResult(
    int formatVersion,
    String run,
    String scheme,
    long seed,
    String checkpoint,
    long step,
    int trainLength,
    int length,
    int samples,
    String targetsSha256,
    String dataSha256,
    int theoretical,
    CumulativeGradient trained,
    CumulativeGradient untrained,
    BuildInfo build) {
  /** The format version that is written and read. Version 1 had no bands. */
  public static final int FORMAT_VERSION = 2;

  /** Checks that the values can be those of a result. */
  public ReceptiveFieldResult {
    Checks.require(
        formatVersion == FORMAT_VERSION, "format_version", "" + FORMAT_VERSION, formatVersion);
    Checks.name("run", run);
    Checks.name("scheme", scheme);
    Checks.atLeast("step", step, 0);
    Checks.atLeast("train_length", trainLength, 1);
    Checks.atLeast("length", length, 1);
    Checks.atLeast("samples", samples, 2);
    Checks.sha256("targets_sha256", targetsSha256);
    Checks.sha256("data_sha256", dataSha256);
    Checks.require(
        1 <= theoretical && theoretical <= length, "theoretical", "1 to " + length, theoretical);
    requireWithin("trained", trained, length, theoretical);
    requireWithin("untrained", untrained, length, theoretical);
  }

  private static void requireWithin(
      String key, CumulativeGradient curve, int length, int theoretical) {
    Checks.require(curve.length() == length, key, length + " positions", curve.length());
    curve
        .effective()
        .forEach(
            field ->
                Checks.require(
                    field.high() <= theoretical,
                    key,
                    "nothing beyond the theoretical " + theoretical + " tokens",
                    field));
  }

  /**
   * The receptive field measured by this build; length and chunks are those of the gradients.
   *
   * @param subject the checkpoint measured
   * @param dataSha256 a digest that names the test tokens
   * @param theoretical the theoretical receptive field at that length
   * @param trained the trained model's gradients
   * @param untrained those of the same model as initialised, over the same chunks
   * @return the result
   */
  public static ReceptiveFieldResult of(
      EvaluatedCheckpoint subject,
      String dataSha256,
      int theoretical,
      GradientNorms trained,
      GradientNorms untrained) {
    Checks.require(
        trained.targetsSha256().equals(untrained.targetsSha256()),
        "untrained",
        "the chunks of the trained model",
        "others");
    return new ReceptiveFieldResult(
        FORMAT_VERSION,
        subject.run(),
        subject.scheme(),
        subject.seed(),
        subject.path(),
        subject.step(),
        subject.trainLength(),
        trained.length(),
        trained.count(),
        trained.targetsSha256(),
        dataSha256,
        theoretical,
        CumulativeGradient.of(trained),
        CumulativeGradient.of(untrained),
        BuildInfo.current());
  }

  /**
   * One of the two curves.
   *
   * @param state which weights
   * @return their curve
   */
  public CumulativeGradient curve(ModelState state) {
    return state == ModelState.TRAINED ? trained : untrained;
  }
}
