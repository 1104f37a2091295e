package org.lengthwise.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * One line of {@code receptive-fields.jsonl}: the receptive fields of one model at one length,
 * trained and untrained. In the file the keys of the checkpoint are on the same level.
 *
 * @param task the task of a classifier of strings; null for a language model
 * @param length T, the positions of each sample
 * @param targetsSha256 {@link GradientNorms#targetsSha256()}, equal for equal samples
 * @param dataSha256 the checksum of the data, or of a task's automaton
 * @param theoretical the theoretical receptive field: the number of most recent positions that the
 *     last position can depend on, given the scheme and the depth, at most T
 * @param bosTokenId the id of BOS, which was read at the place of each sample's first token; null
 *     if samples were read as they are
 */
public record ReceptiveFieldResult(
    int formatVersion,
    @JsonUnwrapped EvaluatedCheckpoint subject,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable String task,
    int length,
    int samples,
    String targetsSha256,
    String dataSha256,
    int theoretical,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Integer bosTokenId,
    CumulativeGradient trained,
    CumulativeGradient untrained,
    BuildInfo build) {
  public static final int FORMAT_VERSION = 2;

  public ReceptiveFieldResult {
    Checks.require(
        formatVersion == FORMAT_VERSION, "format_version", "" + FORMAT_VERSION, formatVersion);
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
   * Computes the curves from gradients. The result names this build.
   *
   * @param task the task of a classifier of strings
   * @param dataSha256 the checksum of the data, or of a task's automaton
   */
  public static ReceptiveFieldResult of(
      EvaluatedCheckpoint subject,
      Optional<String> task,
      String dataSha256,
      int theoretical,
      Optional<Integer> bos,
      GradientNorms trained,
      GradientNorms untrained) {
    Checks.require(
        trained.targetsSha256().equals(untrained.targetsSha256()),
        "untrained",
        "the samples of the trained model",
        "other samples");
    return new ReceptiveFieldResult(
        FORMAT_VERSION,
        subject,
        task.orElse(null),
        trained.length(),
        trained.count(),
        trained.targetsSha256(),
        dataSha256,
        theoretical,
        bos.orElse(null),
        CumulativeGradient.of(trained),
        CumulativeGradient.of(untrained),
        BuildInfo.current());
  }

  public String run() {
    return subject.run();
  }

  public long seed() {
    return subject.seed();
  }

  public CumulativeGradient curve(ModelState state) {
    return state == ModelState.TRAINED ? trained : untrained;
  }
}
