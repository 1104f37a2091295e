package org.lengthwise.measure;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;

/** A checkpoint with its scheme as trained, or changed at test time. */
public record MeasuredModel(Checkpoint checkpoint, PositionChange change) {
  private static final Logger LOG = LogManager.getLogger(MeasuredModel.class);

  /** Requires a change that suits the checkpoint's scheme. */
  public MeasuredModel {
    scheme(checkpoint, change);
  }

  /**
   * {@return the models of one results folder: each checkpoint under each of the changes that it
   * allows, in the order of the checkpoints and then of the changes}
   *
   * @param changes at least one change
   * @throws ConfigException if a model allows none of the changes, or if two models would have the
   *     same name in results
   */
  public static List<MeasuredModel> ofAll(
      List<Checkpoint> checkpoints, List<PositionChange> changes) {
    List<MeasuredModel> models =
        checkpoints.stream().flatMap(checkpoint -> of(checkpoint, changes).stream()).toList();
    Feasibility.requireDistinct(models);
    return models;
  }

  /**
   * {@return the model of a command that takes one scaling and one temperature}
   *
   * @throws ConfigException if there are several changes, or one that the model does not allow
   */
  public static MeasuredModel single(Checkpoint checkpoint, List<PositionChange> changes) {
    if (changes.size() > 1) {
      throw new ConfigException(
          "position_scaling and temperature",
          "one scaling and one temperature",
          Feasibility.labels(changes),
          "name one of them");
    }
    return of(checkpoint, changes).get(0);
  }

  private static List<MeasuredModel> of(Checkpoint checkpoint, List<PositionChange> changes) {
    ModelOrigin origin = checkpoint.origin();
    PositionalScheme scheme = origin.model().position();
    return Feasibility.changes(origin.name(), scheme, origin::allows, changes).stream()
        .map(change -> new MeasuredModel(checkpoint, change))
        .toList();
  }

  /**
   * Selects the lengths that the model can read, and logs the others.
   *
   * @param lengths the lengths in ascending order
   * @param positions how many positions are read at a length
   */
  public List<Integer> readable(List<Integer> lengths, IntUnaryOperator positions) {
    long longest = model().position().lengths().longest();
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

  /** The same of lengths and multiples of the model's training length. */
  public List<Integer> readable(Lengths lengths, IntUnaryOperator positions) {
    return readable(lengths.forTraining(checkpoint.origin().length()), positions);
  }

  private static PositionalScheme scheme(Checkpoint checkpoint, PositionChange change) {
    ModelOrigin origin = checkpoint.origin();
    return change.of(origin.model().position(), origin.trainedTokens());
  }

  /** {@return the shape of the model to run, with the changed scheme} */
  public ModelConfig model() {
    return checkpoint.origin().model().with(scheme(checkpoint, change));
  }

  /**
   * {@return the name in results and reports: the run's name, followed by what is changed, such as
   * {@code rope-yarn} or {@code none-log-length}}
   */
  public String name() {
    return checkpoint.origin().name() + change.suffix();
  }

  public EvaluatedCheckpoint described() {
    ModelOrigin origin = checkpoint.origin();
    return new EvaluatedCheckpoint(
        name(),
        origin.model().position().label() + change.suffix(),
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
