package org.lengthwise.measure;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;

/**
 * A checkpoint with its positions as trained, or scaled at test time.
 *
 * @param checkpoint the checkpoint
 * @param scaling how positions beyond the training length are scaled
 */
public record MeasuredModel(Checkpoint checkpoint, PositionScaling scaling) {
  private static final Logger LOG = LogManager.getLogger(MeasuredModel.class);

  /** Requires a scaling that the checkpoint's scheme has. */
  public MeasuredModel {
    scheme(checkpoint, scaling);
  }

  /**
   * {@return the models of one results folder: each checkpoint under each of the scalings that its
   * scheme has, in the order of the checkpoints and then of the scalings}
   *
   * @param checkpoints the checkpoints
   * @param scalings at least one scaling
   * @throws ConfigException if a scheme has none of the scalings, or if two models would have the
   *     same name in results
   */
  public static List<MeasuredModel> ofAll(
      List<Checkpoint> checkpoints, List<PositionScaling> scalings) {
    List<MeasuredModel> models =
        checkpoints.stream().flatMap(checkpoint -> of(checkpoint, scalings).stream()).toList();
    Feasibility.requireDistinct(models);
    return models;
  }

  /**
   * {@return the model of a command that takes one scaling}
   *
   * @param checkpoint the checkpoint
   * @param scalings the requested scalings
   * @throws ConfigException if there are several scalings, or one that the scheme does not have
   */
  public static MeasuredModel single(Checkpoint checkpoint, List<PositionScaling> scalings) {
    if (scalings.size() > 1) {
      throw new ConfigException(
          "position_scaling", "one scaling", Feasibility.labels(scalings), "name one of them");
    }
    return of(checkpoint, scalings).get(0);
  }

  private static List<MeasuredModel> of(Checkpoint checkpoint, List<PositionScaling> scalings) {
    ModelOrigin origin = checkpoint.origin();
    return Feasibility.scalings(origin.name(), origin.model()::isScaledBy, scalings).stream()
        .map(scaling -> new MeasuredModel(checkpoint, scaling))
        .toList();
  }

  /**
   * Selects the lengths that the model can read, and logs the others.
   *
   * @param lengths the lengths in ascending order
   * @param positions how many positions are read at a length
   * @return the lengths that can be measured
   */
  public List<Integer> readable(List<Integer> lengths, IntUnaryOperator positions) {
    long longest = model().position().longestLength();
    List<Integer> readable =
        lengths.stream().filter(l -> positions.applyAsInt(l) <= longest).toList();
    if (readable.size() < lengths.size()) {
      LOG.warn(
          "{} can read at most {} positions: no results at {}",
          name(),
          longest,
          lengths.subList(readable.size(), lengths.size()));
    }
    int chunk = model().chunk();
    int[] read = readable.stream().mapToInt(positions::applyAsInt).toArray();
    if (Arrays.stream(read).anyMatch(count -> count > chunk)
        && Arrays.stream(read).map(count -> count % chunk).distinct().count() > 1) {
      LOG.warn(
          "{}: lengths {} do not differ by multiples of the chunk {}, so their last positions have"
              + " unlike places in a chunk",
          name(),
          readable,
          chunk);
    }
    return readable;
  }

  private static PositionalScheme scheme(Checkpoint checkpoint, PositionScaling scaling) {
    ModelOrigin origin = checkpoint.origin();
    return origin.model().position().scaled(scaling, origin.length());
  }

  /** {@return the shape of the model to run, with the scaled scheme} */
  public ModelConfig model() {
    return checkpoint.origin().model().with(scheme(checkpoint, scaling));
  }

  /**
   * {@return the name in results and reports: the run's name, followed by the scaling if there is
   * one, such as {@code rope-yarn}}
   */
  public String name() {
    String run = checkpoint.origin().name();
    return run + suffix();
  }

  private String suffix() {
    return scaling.equals(PositionScaling.NONE) ? "" : "-" + scaling.label();
  }

  /** {@return the description of the checkpoint in results} */
  public EvaluatedCheckpoint described() {
    ModelOrigin origin = checkpoint.origin();
    return new EvaluatedCheckpoint(
        name(),
        origin.model().position().label() + suffix(),
        origin.seed(),
        checkpoint.folder().toString(),
        checkpoint.state().step(),
        origin.length(),
        new EvaluatedCheckpoint.Model(
            origin.tokenizer().name(),
            origin.model().layers(),
            origin.model().width(),
            origin.model().recurrence().label()));
  }
}
