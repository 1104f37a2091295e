package org.lengthwise.measure;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.error.ConfigException;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.TestTemperature;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.RegularConfig;
import org.lengthwise.training.config.TaskConfig;

/** Checks whether models can be measured in the requested way, before the first measurement. */
public final class Feasibility {
  private Feasibility() {}

  /**
   * {@return the requested changes that a model allows, in the requested order}
   *
   * @param requested at least one change
   * @throws ConfigException if the model allows none of the changes
   */
  public static List<PositionChange> changes(
      String name,
      PositionalScheme scheme,
      Predicate<PositionChange> allowed,
      List<PositionChange> requested) {
    List<PositionChange> found = requested.stream().filter(allowed).toList();
    if (found.isEmpty()) {
      boolean isScaled =
          requested.stream()
              .map(change -> new PositionChange(change.scaling(), TestTemperature.NONE))
              .anyMatch(allowed);
      throw new ConfigException(
          isScaled ? "temperature" : "position_scaling",
          isScaled
              ? "a list with none for %s, because %s"
                  .formatted(name, scheme.noTemperature().orElse("it has a recurrence"))
              : ("a list with none, because the positions of %s cannot be scaled: it rotates no"
                      + " distances beyond those of the training")
                  .formatted(name),
          labels(requested),
          "add none, or remove that run");
    }
    return found;
  }

  static String labels(List<PositionChange> changes) {
    return changes.stream()
        .map(change -> change.scaling().text() + " with temperature " + change.temperature().text())
        .collect(Collectors.joining(", "));
  }

  /**
   * Checks that a scheme can read a number of positions.
   *
   * @param where the option or key that requests them, such as {@code --length}
   * @param positions T
   */
  public static void requireReads(
      String name, PositionalScheme scheme, String where, long positions) {
    if (positions > scheme.lengths().longest()) {
      throw new ConfigException(
          where,
          "at most %s positions, because %s has no more"
              .formatted(scheme.lengths().longest(), name),
          positions + " positions",
          "request fewer, or measure another scheme");
    }
  }

  public static void requireText(ExperimentRun run, String measurement) {
    if (run.task().isPresent()) {
      throw new ConfigException(
          run.name(),
          "a run on a text, for the measurement " + measurement,
          "a run on the strings of " + run.task().get().name(),
          "remove the measurement, or the section task");
    }
  }

  public static RegularConfig requireStrings(ExperimentRun run, String measurement) {
    return run.task()
        .flatMap(TaskConfig::regular)
        .orElseThrow(
            () ->
                new ConfigException(
                    run.name(),
                    "a run on the strings of a regular task, for the measurement " + measurement,
                    run.task().map(task -> "the task " + task.name()).orElse("a run on a text"),
                    "remove the measurement, or add a section task"));
  }

  /** Checks that a checkpoint and the data have the same tokenizer. */
  public static void requireSameTokenizer(Checkpoint checkpoint, ShardFolder shards) {
    TokenizerIdentity expected = checkpoint.origin().tokenizer();
    TokenizerIdentity found = shards.manifest().tokenizer();
    requireKnown(checkpoint);
    if (!expected.sha256().equals(found.sha256()) || expected.endOfText() != found.endOfText()) {
      throw new ConfigException(
          "--data",
          "tokens of %s, the tokenizer of %s"
              .formatted(expected.description(), checkpoint.folder()),
          "tokens of %s with end-of-text %s".formatted(found.description(), found.endOfText()),
          "prepare the text with `--tokenizer %s`, whose end-of-text is %s"
              .formatted(
                  checkpoint.tokenizerFile().map(Path::toString).orElse(expected.name()),
                  expected.endOfText()));
    }
    int rows = checkpoint.origin().model().vocabulary();
    if (found.vocabularySize() > rows && shards.manifest().settings().hasNonNull("tokens")) {
      throw new ConfigException(
          "--data",
          "ids below %s, the rows of %s".formatted(rows, checkpoint.folder()),
          "copies of token files with ids below " + found.vocabularySize(),
          "prepare the text itself");
    }
  }

  /** Checks that the tokenizer of a checkpoint is known. */
  public static void requireKnown(Checkpoint checkpoint) {
    if (!checkpoint.origin().tokenizer().isKnown()) {
      throw new ConfigException(
          "--checkpoint",
          "a model with a tokenizer",
          checkpoint.folder() + " without tokenizer.json",
          "add the file, or name its tokenizer in `import --tokenizer`");
    }
  }

  /**
   * Checks that an imported model and the data have the same tokenizer. A run that is trained has
   * the tokenizer of its data.
   *
   * @param shards the data; left closed for a run that is trained
   */
  public static void requireSameTokenizer(ExperimentRun run, ShardSource shards) {
    if (run instanceof ExperimentRun.Imported imported) {
      requireSameTokenizer(imported.checkpoint(), shards.folder());
    }
  }

  /** Results name a model by run, seed and step, so no two models of a folder may share these. */
  static void requireDistinct(List<MeasuredModel> models) {
    Map<String, Path> named = new HashMap<>();
    for (MeasuredModel model : models) {
      EvaluatedCheckpoint described = model.described();
      String name =
          "%s seed %s step %s".formatted(described.run(), described.seed(), described.step());
      Path other = named.putIfAbsent(name, model.checkpoint().folder());
      if (other != null) {
        throw new ConfigException(
            model.checkpoint().folder().toString(),
            "a checkpoint that differs from all others in its run's name, seed or step",
            "%s, as in %s".formatted(name, other),
            "remove one of them, or train one under another name, with --set name=OTHER");
      }
    }
  }
}
