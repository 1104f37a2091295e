package org.lengthwise.training.loop;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.Differences;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.Inheritance;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.model.ParameterSpec;
import org.lengthwise.model.Weights;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.StartConfig;
import org.lengthwise.training.config.StartConfig.Choice;
import org.lengthwise.training.config.StartConfig.Moments;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.config.TrainingConfig.ModelSize;
import org.lengthwise.training.interchange.ModelFolder;
import org.lengthwise.training.optimizer.AdamW;

/**
 * The model that a second stage of training starts from, and the checkpoint of the new run at step
 * 0 that is made of it.
 */
public final class StartingPoint {
  private static final Logger LOG = LogManager.getLogger(StartingPoint.class);
  private static final String WHERE = "start.checkpoint ";

  private final StartConfig start;
  private final Checkpoint source;

  private StartingPoint(StartConfig start, Checkpoint source) {
    this.start = start;
    this.source = source;
  }

  /**
   * {@return a configuration of a second stage with what its source states and it does not: the
   * model, the recurrence, and the keys of the positional scheme unless it names a scheme; the same
   * configuration if it has no start}
   *
   * @throws ConfigException if there is no such checkpoint
   */
  public static LayeredConfig under(LayeredConfig config) {
    String folder = config.tree().path("start").path("checkpoint").asText();
    if (folder.isEmpty()) {
      return config;
    }
    ModelConfig model = opened(folder, choice(config)).origin().model();
    ObjectMapper mapper = ConfigLoader.strictMapper();
    ObjectNode below = mapper.createObjectNode();
    below.set("model", mapper.valueToTree(shape(model)));
    below.set("recurrence", mapper.valueToTree(model.recurrence()));
    if (!config.tree().path("position").has("scheme")) {
      below.set("position", mapper.valueToTree(model.position()));
    }
    return LayeredConfig.of(below, WHERE + folder).overlay(config);
  }

  private static Choice choice(LayeredConfig config) {
    return config.tree().path("start").path("choice").asText().equals("best")
        ? Choice.BEST
        : Choice.NEWEST;
  }

  private static ModelSize shape(ModelConfig model) {
    return new ModelSize(
        model.layers(), model.width(), model.heads(), model.form(), model.kind(), 0);
  }

  /** {@return the starting point of a run; empty if it starts from random weights} */
  static Optional<StartingPoint> of(TrainingConfig config) {
    if (config.stage().isEmpty()) {
      return Optional.empty();
    }
    StartConfig start = config.stage().get();
    return Optional.of(new StartingPoint(start, opened(start.checkpoint(), start.choice())));
  }

  private static Checkpoint opened(String folder, Choice choice) {
    Path path = Path.of(folder);
    try {
      return ModelFolder.open(choice == Choice.BEST ? best(path) : path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path best(Path run) throws IOException {
    return new RunFolder(run)
        .best()
        .orElseThrow(
            () ->
                new ConfigException(
                    WHERE + run,
                    "a run with a validated checkpoint, because start.choice is best",
                    "none",
                    "remove start.choice, which takes the last checkpoint"));
  }

  /** {@return a configuration whose start says what its checkpoint holds} */
  public static TrainingConfig resolved(TrainingConfig config) {
    Optional<StartingPoint> point = of(config);
    return point.isEmpty() ? config : point.get().named(config);
  }

  /** {@return the {@code tokenizer.json} of the source, if it has one} */
  Optional<Path> tokenizerFile() {
    return source.tokenizerFile();
  }

  /**
   * {@return the same configuration, whose start says what the checkpoint holds}
   *
   * @throws ConfigException if the model cannot start from the checkpoint
   */
  TrainingConfig named(TrainingConfig config) {
    ModelOrigin origin = source.origin();
    Optional<StartConfig> before =
        origin instanceof RunDescription run ? run.config().stage() : Optional.empty();
    TrainState state = source.state();
    StartConfig whole =
        start.of(
            origin.trainedTokens(),
            new StartConfig.Source(
                origin.name(),
                origin.seed(),
                origin.model().vocabulary(),
                state.step(),
                state.tokens() + before.map(StartConfig::tokensBefore).orElse(0L),
                state.step() + before.map(StartConfig::updatesBefore).orElse(0L),
                origin.bos().orElse(null),
                source.modelSha256()));
    TrainingConfig named = checked(() -> config.startingAt(whole));
    inheritance(named.modelConfig(origin.model().vocabulary()));
    return named;
  }

  private Inheritance inheritance(ModelConfig model) {
    requireSameShape(model);
    return checked(() -> Inheritance.of(model, source.origin().model()));
  }

  /** A value that a record rejects is one of the configuration. */
  private <T> T checked(Supplier<T> value) {
    try {
      return value.get();
    } catch (InvalidValueException e) {
      throw new ConfigException(
          e.key() + ", with " + WHERE + start.checkpoint(),
          e.expected(),
          e.found(),
          "correct the key, or start from another checkpoint",
          e);
    }
  }

  /**
   * {@return the checkpoint of a run at step 0, with the numbers of the source}
   *
   * @throws ConfigException if the run changes more than a second stage can
   */
  Checkpoint at(RunDescription run) {
    requireSameTokens(run.tokenizer());
    ModelConfig model = run.model();
    Inheritance inheritance = inheritance(model);
    Map<String, ParameterSpec> added = new LinkedHashMap<>();
    ParameterLayout.of(model).stream()
        .filter(
            spec ->
                !inheritance.taken().containsKey(spec.name())
                    || inheritance.longer().contains(spec.name()))
        .forEach(spec -> added.put(spec.name(), spec));
    LOG.info(
        "{} starts from {}: {}, seed {}, after step {}",
        run.name(),
        source.folder(),
        source.origin().name(),
        source.origin().seed(),
        source.state().step());
    Map<String, Double> neutral = inheritance.neutral();
    Set<String> longer = inheritance.longer();
    log("new tensors that start at the value that changes nothing", added, neutral::containsKey);
    log("new rows that start at their initial values", added, longer::contains);
    log(
        "new tensors that start at their initial values",
        added,
        name -> !neutral.containsKey(name) && !longer.contains(name));
    return new Checkpoint(
        source.folder(),
        run,
        TrainState.initial(run.seed(), samplesBefore(run)),
        () ->
            new Inherited(
                source.tensors(),
                inheritance.taken(),
                longer,
                name -> first(Objects.requireNonNull(added.get(name)), neutral.get(name), run)),
        moments(run, inheritance),
        false);
  }

  /**
   * The samples that the source drew from the same order, as whole batches of the run. The order of
   * carried streams and of strings depends on the batch.
   */
  private long samplesBefore(RunDescription run) {
    if (!(source.origin() instanceof RunDescription before) || !hasOrderOf(before, run)) {
      return 0;
    }
    long batch = run.config().training().batch();
    return (source.state().cursor() + batch - 1) / batch * batch;
  }

  private static boolean hasOrderOf(RunDescription before, RunDescription run) {
    LoopConfig loop = run.config().training();
    return before.seed() == run.seed()
        && before.data().equals(run.data())
        && before.config().training().length() == loop.length()
        && before.config().training().states() == loop.states()
        && (before.config().training().batch() == loop.batch()
            || (loop.states() == LoopConfig.States.ZERO && run.config().task() == null))
        && Objects.equals(before.config().task(), run.config().task());
  }

  private static float[] first(ParameterSpec spec, @Nullable Double neutral, RunDescription run) {
    float[] numbers = Weights.initial(spec, new RandomStreams(run.seed()));
    if (neutral != null) {
      Arrays.fill(numbers, neutral.floatValue());
    }
    return numbers;
  }

  private static void log(
      String what, Map<String, ParameterSpec> added, Predicate<String> isMeant) {
    List<String> names = added.keySet().stream().filter(isMeant).toList();
    if (!names.isEmpty()) {
      LOG.info("{}: {}", what, String.join(", ", names));
    }
  }

  private void requireSameTokens(TokenizerIdentity tokenizer) {
    TokenizerIdentity own = source.origin().tokenizer();
    int vocabulary = source.origin().model().vocabulary();
    boolean fits =
        own.isKnown()
            ? own.sha256().equals(tokenizer.sha256())
            : tokenizer.vocabularySize() <= vocabulary;
    if (!fits) {
      throw new ConfigException(
          WHERE + start.checkpoint(),
          "a model that reads the tokens of the data, which are those of "
              + tokenizer.description(),
          "a model of %s ids of %s".formatted(vocabulary, own.description()),
          "prepare the data with the tokenizer of the model, or start from another one");
    }
  }

  private void requireSameShape(ModelConfig model) {
    List<String> differences = Differences.between(tree(source.origin().model()), tree(model));
    if (!differences.isEmpty()) {
      throw new ConfigException(
          WHERE + start.checkpoint(),
          "a model of the configured shape, because a second stage can change positions only",
          "differences: " + String.join("; ", differences),
          "remove the section model from the configuration, which then has that of the checkpoint,"
              + " or start from another one");
    }
  }

  /** The shape of a model, without what may change: the scheme, and initial values. */
  private static ObjectNode tree(ModelConfig model) {
    ObjectNode tree = ConfigLoader.strictMapper().valueToTree(model);
    tree.remove("position");
    ((ObjectNode) tree.path("form")).remove("initial");
    return tree;
  }

  private Optional<Checkpoint.Opener> moments(RunDescription run, Inheritance inheritance) {
    if (start.optimizer() == Moments.RESET) {
      return Optional.empty();
    }
    Checkpoint.Opener stored =
        source
            .moments()
            .orElseThrow(
                () ->
                    new ConfigException(
                        "start.optimizer",
                        "reset, because %s has no moments".formatted(start.checkpoint()),
                        "keep",
                        "correct the key"));
    OptimizerConfig before = source.run().config().optimizer();
    Set<String> kept =
        ParameterLayout.of(source.origin().model()).stream()
            .filter(before::trains)
            .map(ParameterSpec::name)
            .collect(Collectors.toSet());
    Map<String, String> taken = new HashMap<>();
    Map<String, Integer> sizes = new HashMap<>();
    Set<String> longer = new HashSet<>();
    for (ParameterSpec spec : ParameterLayout.of(run.model())) {
      String from = inheritance.taken().get(spec.name());
      for (String suffix : AdamW.MOMENTS) {
        sizes.put(spec.name() + suffix, Math.toIntExact(spec.size()));
        if (from != null && kept.contains(from)) {
          taken.put(spec.name() + suffix, from + suffix);
          if (inheritance.longer().contains(spec.name())) {
            longer.add(spec.name() + suffix);
          }
        }
      }
    }
    return Optional.of(
        () ->
            new Inherited(
                stored.open(),
                taken,
                longer,
                name -> new float[Objects.requireNonNull(sizes.get(name))]));
  }
}
