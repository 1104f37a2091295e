package org.lengthwise.report.training;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Reach;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.RunName;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.loop.Metrics;
import org.lengthwise.training.optimizer.TableReach;

/**
 * The training of one run, as its folder describes it. It is shown to readers. No number of a table
 * depends on it.
 *
 * @param description the {@code config.json} of the newest checkpoint: configuration, data and
 *     build
 * @param table how far training can move the biases of a learned table; empty if the model has none
 * @param biasRange the smallest range of a head's learned biases in the last line of metrics, in
 *     nats of a score; empty without such a table
 * @param stepSeconds the time of a step, {@link #quick}
 * @param passSeconds the time of a forward pass of validation, for each target, {@link #quick}; NaN
 *     if the metrics do not tell it
 */
public record TrainedRun(
    String run,
    long seed,
    JsonNode description,
    Optional<TableReach> table,
    OptionalDouble biasRange,
    double stepSeconds,
    double passSeconds,
    LossCurve training,
    LossCurve validation) {
  private static final Logger LOG = LogManager.getLogger(TrainedRun.class);

  /** The points of a curve: enough to look smooth. */
  private static final int MAX_POINTS = 240;

  /**
   * {@return the runs below folders, at any depth: those with metrics and a finished checkpoint,
   * those of the paper first} Runs whose metrics cannot be read are named in the log and skipped.
   *
   * @throws DataFormatException if the description in a checkpoint is damaged
   */
  public static List<TrainedRun> under(List<Path> roots) throws IOException {
    Map<Path, TrainedRun> runs = new LinkedHashMap<>();
    for (Path root : roots) {
      for (Path folder : folders(root.toRealPath())) {
        read(folder).ifPresent(run -> runs.put(folder, run));
      }
    }
    return runs.values().stream()
        .sorted(
            Comparator.comparing(TrainedRun::run, RunName.paperFirst())
                .thenComparingLong(TrainedRun::seed))
        .toList();
  }

  private static List<Path> folders(Path root) throws IOException {
    try (Stream<Path> below = Files.walk(root)) {
      return below
          .filter(file -> Files.isRegularFile(file) && isMetrics(file))
          .map(TrainedRun::parent)
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean isMetrics(Path file) {
    return new RunFolder(parent(file)).metrics().equals(file);
  }

  private static Path parent(Path file) {
    return file.toAbsolutePath().resolveSibling("").normalize();
  }

  private static Optional<TrainedRun> read(Path folder) throws IOException {
    Optional<Path> newest = new RunFolder(folder).newest();
    if (newest.isEmpty()) {
      LOG.warn("{} has no finished checkpoint: no training curve", folder);
      return Optional.empty();
    }
    ModelOrigin origin = CheckpointFolder.origin(newest.get());
    try {
      RunMetrics metrics = RunMetrics.read(folder);
      return Optional.of(
          new TrainedRun(
              origin.name(),
              origin.seed(),
              ConfigLoader.strictMapper().valueToTree(origin),
              table(origin),
              biasRange(metrics.training()),
              quick(metrics.training().stream().map(Metrics.Training::stepSeconds)),
              quick(metrics.validation().stream().map(TrainedRun::passSeconds)),
              curve(metrics.training()),
              curve(metrics.validation())));
    } catch (DataFormatException e) {
      LOG.warn("no training curve: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private static OptionalDouble biasRange(List<Metrics.Training> lines) {
    Double last = lines.isEmpty() ? null : lines.get(lines.size() - 1).biasRange();
    return last == null ? OptionalDouble.empty() : OptionalDouble.of(last);
  }

  private static @Nullable Double passSeconds(Metrics.Validation line) {
    Double seconds = line.forwardSeconds();
    return seconds == null ? null : seconds / line.count();
  }

  /**
   * The time that a tenth of the measured times are below, or NaN if there are none. Other work on
   * the machine only makes a step slower, so short times are closest to the cost of the model.
   */
  static double quick(Stream<@Nullable Double> times) {
    List<Double> sorted = times.filter(Objects::nonNull).sorted().toList();
    return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 10);
  }

  /** The name of the task; of a text {@link Question#TEXT}. */
  String subject() {
    return description.at("/config/task/name").asText(Question.TEXT);
  }

  /** {@return the run whose model this one started from; empty if it began with random weights} */
  public Optional<String> source() {
    JsonNode name = description.at("/config/start/source/name");
    return name.isTextual() ? Optional.of(name.textValue()) : Optional.empty();
  }

  /** The run that this one started from, with its training length; a dash without one. */
  String startsFrom() {
    return source()
        .map(
            name ->
                RunName.heading(name)
                    + " at "
                    + Numbers.count(description.at("/config/start/length").intValue()))
        .orElse(Numbers.MISSING);
  }

  /** The tokens of all stages of training. */
  String tokens() {
    List<Double> own = training.xs();
    long before = description.at("/config/start/source/tokens").longValue();
    return own.isEmpty() ? Numbers.MISSING : Numbers.of("%,.0f", own.get(own.size() - 1) + before);
  }

  private static Optional<TableReach> table(ModelOrigin origin) {
    return origin instanceof RunDescription run ? run.tableReach() : Optional.empty();
  }

  /**
   * {@return a warning that names the runs whose table could not be learned; empty if there is no
   * such run}
   */
  public static Optional<String> warning(List<TrainedRun> trained) {
    String runs =
        trained.stream()
            .flatMap(run -> run.table.stream().filter(run::isTooShort).map(run::words))
            .distinct()
            .collect(Collectors.joining(", "));
    return runs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Warning: the positional tables of some runs could hardly be learned: "
                + runs
                + ". Adam moves a bias by about the sum of its learning rates at most, and half of"
                + " the attention on one of C keys needs ln(C - 1). These runs say little about"
                + " their schemes.");
  }

  /** The measured range decides if the sum of the rates does not: biases may move apart. */
  private boolean isTooShort(TableReach reach) {
    return reach.isTooShort() && biasRange.orElse(0) < reach.needed();
  }

  private String words(TableReach reach) {
    return String.format(
        Locale.ROOT,
        "%s (moved by at most %.2f, needs ln %d = %.2f)",
        RunName.heading(run),
        reach.nats(),
        reach.numEntries() - 1,
        reach.needed());
  }

  /**
   * The bias and the condition of a formula scheme, or the rule and the source of a scheme by rows;
   * empty for all others.
   */
  Optional<String> formula() {
    JsonNode position = description.at("/model/position");
    String visible = position.path("visible").asText("");
    if (position.path("scheme").asText().equals("formula")) {
      return Optional.of(
          "%s: bias = %s%s"
              .formatted(
                  RunName.heading(run),
                  position.path("bias").asText(),
                  visible.isEmpty() ? "" : "; visible: " + visible));
    }
    return position.isObject()
        ? scheme(position).described().stream()
            .findFirst()
            .map(rule -> RunName.heading(run) + ": " + rule)
        : Optional.empty();
  }

  /** {@return what the scheme of a run sees, by its description; empty if no folder has one} */
  public static Optional<Reach> reach(String run, List<TrainedRun> trained) {
    return trained.stream()
        .filter(one -> one.run.equals(run))
        .map(one -> one.description.at("/model/position"))
        .filter(JsonNode::isObject)
        .findFirst()
        .map(TrainedRun::scheme)
        .map(PositionalScheme::reach);
  }

  private static PositionalScheme scheme(JsonNode position) {
    return ConfigLoader.strictMapper().convertValue(position, PositionalScheme.class);
  }

  /** {@return the loss of the last training strings or tokens; empty before the first step} */
  public OptionalDouble lastLoss() {
    List<Double> losses = training.losses();
    return losses.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(losses.get(losses.size() - 1));
  }

  private static LossCurve curve(List<? extends Metrics.Measured> lines) {
    return LossCurve.of(lines, Metrics.Measured::tokens).averaged(MAX_POINTS);
  }
}
