package org.lengthwise.eval.perplexity;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.eval.result.EvaluatedCheckpoint;
import org.lengthwise.eval.result.EvaluatedModel;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.model.ModelConfig;

/**
 * A checkpoint as it is measured: with its positions as trained, or scaled at test time.
 *
 * @param checkpoint the checkpoint
 * @param scaling what happens to positions beyond the training length, which the checkpoint knows
 */
public record MeasuredModel(Checkpoint checkpoint, PositionScaling scaling) {
  private static final Logger LOG = LogManager.getLogger(MeasuredModel.class);

  /** Checks the values. */
  public MeasuredModel {
    scheme(checkpoint, scaling);
  }

  /**
   * The models that a checkpoint is measured as under some scalings.
   *
   * @param checkpoint the checkpoint
   * @param scalings at least one; a scheme that has nothing to scale counts once, unscaled,
   *     whatever else is asked for beside {@link PositionScaling#NONE}
   * @return the models, in the order of the scalings
   * @throws ConfigException if only scalings are asked for that the scheme does not have
   */
  public static List<MeasuredModel> of(Checkpoint checkpoint, List<PositionScaling> scalings) {
    ModelOrigin origin = checkpoint.origin();
    return scalings(origin.name(), origin.model().position(), scalings).stream()
        .map(scaling -> new MeasuredModel(checkpoint, scaling))
        .toList();
  }

  /**
   * The models that checkpoints are measured as together, in one folder.
   *
   * @param checkpoints the checkpoints
   * @param scalings at least one
   * @return the models, in the order of the checkpoints and then of the scalings
   * @throws ConfigException as for {@link #of}, or if two would have the same name in results
   */
  public static List<MeasuredModel> ofAll(
      List<Checkpoint> checkpoints, List<PositionScaling> scalings) {
    List<MeasuredModel> models =
        checkpoints.stream().flatMap(checkpoint -> of(checkpoint, scalings).stream()).toList();
    Map<String, Path> named = new HashMap<>();
    for (MeasuredModel model : models) {
      EvaluatedCheckpoint subject = model.described();
      String name = "%s seed %d step %d".formatted(subject.run(), subject.seed(), subject.step());
      Path other = named.putIfAbsent(name, model.checkpoint().folder());
      if (other != null) {
        throw new ConfigException(
            model.checkpoint().folder().toString(),
            "a checkpoint that differs from all others in its run's name, seed or step",
            "%s, as in %s".formatted(name, other),
            "leave one out, or measure it into a folder of its own");
      }
    }
    return models;
  }

  /**
   * Those of some lengths that the model can read; the others are named in the log.
   *
   * @param lengths the lengths, rising
   * @param unread how many of a length's tokens are not read, as a last one that is only scored
   * @return the lengths that can be measured
   */
  public List<Integer> readable(List<Integer> lengths, int unread) {
    long longest = model().position().longestLength();
    List<Integer> readable = lengths.stream().filter(l -> l - unread <= longest).toList();
    if (readable.size() < lengths.size()) {
      LOG.warn(
          "{} cannot read further than {} positions: no results at {}",
          name(),
          longest,
          lengths.subList(readable.size(), lengths.size()));
    }
    return readable;
  }

  /**
   * Those of some scalings that a run is measured under.
   *
   * @param name the run's name
   * @param scheme its positional scheme
   * @param asked at least one scaling
   * @return the scalings that the scheme has
   * @throws ConfigException if it has none of them
   */
  public static List<PositionScaling> scalings(
      String name, PositionalScheme scheme, List<PositionScaling> asked) {
    List<PositionScaling> found = asked.stream().filter(scheme::isScaledBy).toList();
    if (found.isEmpty()) {
      throw new ConfigException(
          "position_scaling",
          "none among them, for %s has no rotations to scale".formatted(name),
          labels(asked),
          "add none, or leave that run out");
    }
    return found;
  }

  private static String labels(List<PositionScaling> scalings) {
    return String.join(", ", scalings.stream().map(PositionScaling::label).toList());
  }

  /**
   * The one model of a measurement that is made once.
   *
   * @param checkpoint the checkpoint
   * @param scalings the scalings asked for
   * @return the model
   * @throws ConfigException if there are several scalings, or one that the scheme does not have
   */
  public static MeasuredModel single(Checkpoint checkpoint, List<PositionScaling> scalings) {
    if (scalings.size() > 1) {
      throw new ConfigException(
          "position_scaling",
          "one, for this is measured once",
          labels(scalings),
          "name one of them");
    }
    return of(checkpoint, scalings).get(0);
  }

  /**
   * Checks that a checkpoint and data speak of the same tokens.
   *
   * @param checkpoint the checkpoint
   * @param shards the data
   * @throws ConfigException if their tokenizers differ
   */
  public static void requireSameTokenizer(Checkpoint checkpoint, ShardFolder shards) {
    TokenizerIdentity expected = checkpoint.origin().tokenizer();
    TokenizerIdentity found = shards.manifest().tokenizer();
    if (!expected.equals(found)) {
      throw new ConfigException(
          "--data",
          "tokens of " + expected.name() + ", as " + checkpoint.folder() + " was trained on",
          "tokens of " + found.name(),
          "prepare the text with the checkpoint's tokenizer");
    }
  }

  private static PositionalScheme scheme(Checkpoint checkpoint, PositionScaling scaling) {
    ModelOrigin origin = checkpoint.origin();
    return origin.model().position().scaled(scaling, origin.length());
  }

  /**
   * The model to run.
   *
   * @return its shape, with the scheme as scaled
   */
  public ModelConfig model() {
    return checkpoint.origin().model().with(scheme(checkpoint, scaling));
  }

  /**
   * The run's name, with the scaling's behind it where there is one, such as {@code rope-yarn}.
   *
   * @return its name in results and reports
   */
  public String name() {
    String run = checkpoint.origin().name();
    return scaling == PositionScaling.NONE ? run : run + "-" + scaling.label();
  }

  /**
   * How results name this.
   *
   * @return its name in results
   */
  public EvaluatedCheckpoint described() {
    ModelOrigin origin = checkpoint.origin();
    return new EvaluatedCheckpoint(
        name(),
        model().position().label(),
        origin.seed(),
        checkpoint.folder().toString(),
        checkpoint.state().step(),
        origin.length(),
        new EvaluatedModel(
            origin.tokenizer().name(), origin.model().layers(), origin.model().width()));
  }

  /**
   * Checks, before anything runs, that a run's model can read so many positions.
   *
   * @param name the run's name
   * @param scheme its positional scheme
   * @param where what asks for them, such as {@code --length}
   * @param positions T
   * @throws ConfigException if its scheme cannot run over them
   */
  public static void requireReads(
      String name, PositionalScheme scheme, String where, long positions) {
    if (positions > scheme.longestLength()) {
      throw new ConfigException(
          where,
          "at most %d positions to read, for %s has embeddings for no more"
              .formatted(scheme.longestLength(), name),
          positions + " positions",
          "ask for fewer, or measure another scheme");
    }
  }
}
