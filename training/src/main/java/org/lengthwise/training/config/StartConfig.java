package org.lengthwise.training.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;

/**
 * The model that a second stage of training starts from. Its shape stays; its positions, and
 * everything else in the configuration, may change.
 *
 * @param checkpoint the folder of a checkpoint, a run, or a model in Hugging Face's layout
 * @param choice which checkpoint of a run
 * @param optimizer the moments at the first step
 * @param scaling the scaling of RoPE that becomes part of the model, such as {@code yarn}; without
 *     a factor, the new training length divided by that of the source before any scaling
 * @param bos whether training windows, and documents that are read apart, begin with BOS at the
 *     place of the token before their first target
 * @param length T_tr of the source, which train sets; 0 before
 * @param original the positions of the source before any scaling, from which {@code scaling}
 *     scales, which train sets; 0 before, and without a scaling
 * @param source the content of the checkpoint, which train sets; absent before
 */
public record StartConfig(
    String checkpoint,
    @AbsentMeans("\"newest\"") Choice choice,
    @AbsentMeans("\"reset\"") Moments optimizer,
    @AbsentMeans("\"none\"") PositionScaling scaling,
    @AbsentMeans("\"auto\"") Bos bos,
    @AbsentMeans("0") @Unit("tokens") int length,
    @AbsentMeans("0") @Unit("positions") int original,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Source source) {

  /** Which checkpoint of a run is the source. */
  public enum Choice {
    /** That of the last step. */
    NEWEST,
    /** That with the lowest validation loss. */
    BEST
  }

  /** The moments of the optimizer at the first step. */
  public enum Moments {
    /** Zeros. */
    RESET,
    /** Those of the source, also their number of updates. */
    KEEP
  }

  /**
   * What a checkpoint holds.
   *
   * @param name the name of its model
   * @param seed the seed of its training; 0 if unknown
   * @param vocabulary V of its model
   * @param step the step after which it was written; 0 if unknown
   * @param tokens the tokens of its training, with those of its own source; 0 if unknown
   * @param updates the updates that its moments have seen
   * @param bosTokenId the id of BOS, if the model reads it first
   * @param sha256 the SHA-256 of its weights, in hexadecimal
   */
  public record Source(
      String name,
      long seed,
      int vocabulary,
      @Unit("steps") long step,
      @Unit("tokens") long tokens,
      @Unit("updates") long updates,
      @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Integer bosTokenId,
      String sha256) {}

  public StartConfig {
    Checks.atLeast("length", length, 0);
    Checks.atLeast("original", original, 0);
  }

  /** {@return this start with what its checkpoint says} */
  public StartConfig of(int trainedLength, @Nullable Source content) {
    return new StartConfig(
        checkpoint, choice, optimizer, scaling, bos, trainedLength, original, content);
  }

  /** {@return this start, which knows the positions before any scaling} */
  StartConfig of(PositionalScheme scheme) {
    if (scaling.equals(PositionScaling.NONE) || length == 0 || original > 0) {
      return this;
    }
    int before = scaling.dependsOnLength() ? scheme.original(length) : length;
    return new StartConfig(checkpoint, choice, optimizer, scaling, bos, length, before, source);
  }

  /** {@return this start from a checkpoint in another place} */
  public StartConfig at(String folder) {
    return new StartConfig(folder, choice, optimizer, scaling, bos, length, original, source);
  }

  /**
   * {@return this start at the place of another one; without the content of the checkpoint if the
   * other one does not know its own}
   */
  StartConfig resumedAs(StartConfig other) {
    return at(other.checkpoint)
        .of(other.source == null ? other.length : length, other.source == null ? null : source);
  }

  /** {@return the id of BOS, if training windows begin with it} */
  public Optional<Integer> firstToken() {
    return bos.of(Optional.ofNullable(source).map(Source::bosTokenId));
  }

  /** {@return the tokens that the source was trained on} */
  public long tokensBefore() {
    return source == null ? 0 : source.tokens();
  }

  /** {@return the updates of the moments before the first step} */
  public long updatesBefore() {
    return source == null || optimizer == Moments.RESET ? 0 : source.updates();
  }

  /**
   * The scheme of the model, which has the scaling as its own; the same if it has it already.
   *
   * @param newLength the training length in tokens
   */
  PositionalScheme scaled(PositionalScheme scheme, int newLength) {
    if (original == 0 || scaling.equals(PositionScaling.NONE)) {
      return scheme;
    }
    double factor =
        scaling.dependsOnLength() ? Math.max(1, (double) newLength / original) : scaling.factor();
    // A scheme of another name exists at test time only.
    return scheme
        .scaled(new PositionScaling(scaling.kind(), factor), original)
        .filter(scaled -> scaled.label().equals(scheme.label()))
        .orElseThrow(
            () ->
                new InvalidValueException(
                    "start.scaling",
                    "none, because %s has no rotations that it could change in all blocks"
                        .formatted(scheme.label()),
                    scaling.text()));
  }
}
