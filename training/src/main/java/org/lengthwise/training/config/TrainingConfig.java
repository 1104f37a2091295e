package org.lengthwise.training.config;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;
import org.lengthwise.model.DecoderForm;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.model.Recurrence;
import org.lengthwise.positional.LengthUse;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Precision;

/**
 * The configuration of a training run. Together with the data it decides every number.
 *
 * @param name the run's name in results and reports, the same for all seeds
 * @param seed the seed of all randomness
 * @param model the model's size
 * @param position the positional scheme
 * @param recurrence what the model carries from chunk to chunk
 * @param optimizer the optimizer's settings
 * @param training the loop's settings
 * @param task the regular or recall task of a run on strings; absent for a run on a text
 * @param start the model that a second stage starts from; absent for a run from random weights
 */
public record TrainingConfig(
    String name,
    long seed,
    ModelSize model,
    PositionalScheme position,
    @AbsentMeans("{\"kind\":\"none\"}") Recurrence recurrence,
    OptimizerConfig optimizer,
    LoopConfig training,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable TaskConfig task,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable StartConfig start) {
  /** The longest length of a task replaces {@code training.length}. */
  public TrainingConfig {
    Checks.name("name", name);
    training = task == null ? training : training.withLength(task.longest());
    Checks.require(
        (task != null && task.allowsLaterKeys()) || model.form().causal(),
        "model.causal",
        "true, because a language model must not see the token that it predicts",
        model.form().causal());
    Checks.require(
        model.form().causal() || position.reach().hasLaterKeys(),
        "position.scheme",
        "transformer-xl, rope, none, sinusoidal or learned, because model.causal is false; the"
            + " other schemes are defined for earlier keys only",
        position.label());
    if (model.kind().isNetwork()) {
      model.requireNetwork(position, task instanceof RegularConfig);
      Checks.require(
          recurrence.equals(Recurrence.none()),
          "recurrence.kind",
          "none, because model.kind is " + EnumName.of(model.kind()),
          recurrence.label());
      Checks.require(
          training.residual() == Precision.FLOAT32,
          "training.residual",
          "float32, because model.kind is %s, which has no residual stream"
              .formatted(EnumName.of(model.kind())),
          training.residual().label());
    }
    int tokens = task == null ? training.length() : task.longestTokens();
    if (start != null) {
      start = start.of(position);
      position = start.scaled(position, tokens);
    }
    Checks.require(
        start != null || training.steps() > 0, "training.steps", "at least 1", training.steps());
    ModelConfig shape = model.with(position, 1, task instanceof RegularConfig ? 1 : 0);
    recurrence.requireModel(model.layers(), position, model.form());
    if (!optimizer.train().isEmpty()) {
      optimizer.requireParts(ParameterLayout.of(shape.with(recurrence)));
    }
    Checks.require(
        task == null || training.documents() == LoopConfig.Documents.CROSS,
        "training.documents",
        "cross, because the strings of a task are no documents",
        EnumName.of(training.documents()));
    if (training.states() == LoopConfig.States.CARRIED) {
      Checks.require(
          task == null,
          "training.states",
          "zero, because the strings of a task do not continue",
          EnumName.of(training.states()));
      Checks.require(
          !shape.states().isEmpty(),
          "training.states",
          "zero, because position %s has no states; scheme linear has".formatted(position.label()),
          EnumName.of(training.states()));
      Checks.require(
          start == null || start.firstToken().isEmpty(),
          "training.states",
          "zero, because windows begin with BOS; start.bos: none omits it",
          EnumName.of(training.states()));
    }
    LengthUse use = position.lengths();
    Checks.require(
        training.documents() == LoopConfig.Documents.CROSS
            || use.keepsResultsBelow(training.length()),
        "training.documents",
        "cross, because %s computes with the number of positions of a pass"
            .formatted(position.label()),
        EnumName.of(training.documents()));
    if (task != null) {
      Checks.require(
          tokens <= position.lengths().longest(),
          "task.lengths",
          "strings of at most %s symbols, the positions of %s"
              .formatted(position.lengths().longest(), position.label()),
          "strings of %s symbols at length %s".formatted(tokens, task.longest()));
    }
    Checks.require(
        training.length() <= position.lengths().longest(),
        "training.length",
        "at most %s, the positions of %s".formatted(position.lengths().longest(), position.label()),
        training.length());
    position = position.trainedAt(tokens, model.heads(), shape.positionalWidth(), model.layers());
  }

  public TrainingConfig(
      String name,
      long seed,
      ModelSize model,
      PositionalScheme position,
      OptimizerConfig optimizer,
      LoopConfig training) {
    this(name, seed, model, position, Recurrence.none(), optimizer, training, null, null);
  }

  /** {@return this configuration with another start} */
  public TrainingConfig startingAt(StartConfig other) {
    return new TrainingConfig(
        name, seed, model, position, recurrence, optimizer, training, task, other);
  }

  /** {@return the start of a second stage} */
  @JsonIgnore
  public Optional<StartConfig> stage() {
    return Optional.ofNullable(start);
  }

  /** {@return the shape of this run's model} */
  public ModelConfig modelConfig(int vocabulary) {
    int labels = task instanceof RegularConfig regular ? regular.task().automaton().numLabels() : 0;
    int numIds = start == null || start.source() == null ? vocabulary : start.source().vocabulary();
    return model.with(position, numIds, labels).with(recurrence);
  }

  /**
   * {@return whether the scheme can be changed so at test time, as {@link ModelConfig#allows} says}
   */
  public boolean allows(PositionChange change) {
    return modelConfig(1).allows(change, task == null ? longestLength() : task.longestTokens());
  }

  /**
   * {@return a warning of what is unusual about this run's model at its training length, or empty}
   */
  public Optional<String> warning() {
    return recurrence.warning(training.length());
  }

  /**
   * {@return the lengths of training sequences, each with the same probability in each step; T_tr
   * alone for a text}
   */
  public IntStream lengths() {
    return task == null ? IntStream.of(training.length()) : task.trainedTokens();
  }

  /**
   * {@return T_tr: the longest length of all stages of training; of the last stage alone if its
   * task does not count lengths in tokens}
   */
  public int longestLength() {
    return task == null || task.longestTokens() == task.longest()
        ? Math.max(training.length(), stage().map(StartConfig::length).orElse(0))
        : training.length();
  }

  /** {@return {@link #lengths} as text, such as {@code 512} or {@code 1 to 40}} */
  public String lengthText() {
    return task == null
        ? String.valueOf(training.length())
        : "%s to %s".formatted(task.shortest(), task.longest());
  }

  /**
   * {@return the floating-point operations of one training token, the mean over the lengths, as
   * {@link ModelConfig#flopsPerToken} counts them}
   */
  public double flopsPerToken(ModelConfig shape) {
    return lengths().mapToDouble(length -> length * shape.flopsPerToken(length)).sum()
        / lengths().sum();
  }

  /**
   * {@return the tokens that the whole training reads: steps x batch x the mean of {@link
   * #lengths}} For a task, this is the expected number.
   */
  public long numTokens() {
    return Math.round(training.steps() * tokensPerStep());
  }

  /** {@return the tokens that a step reads: batch x the mean of {@link #lengths}} */
  public double tokensPerStep() {
    return training.batch() * lengths().average().orElseThrow();
  }

  /**
   * {@return this run with the settings of another one that {@linkplain LoopConfig#resumedAs a
   * resumed run may change}}
   */
  public TrainingConfig resumedAs(TrainingConfig other) {
    return new TrainingConfig(
        name,
        seed,
        model,
        position,
        recurrence,
        optimizer,
        training.resumedAs(other.training),
        task,
        start == null || other.start == null ? start : start.resumedAs(other.start));
  }

  /**
   * A model's size, and on the same level the keys of its form.
   *
   * @param layers K, the number of distinct blocks
   * @param width d, the width of the residual stream; a multiple of heads, unless {@code attention}
   *     states the width of a head
   * @param heads H, the number of attention heads
   * @param kind what the model is made of; an rnn or an lstm has one layer of {@code width} units
   *     and one head
   * @param dropout the share of embeddings, and of what attention and MLP add to the residual
   *     stream, that each training step zeroes; nothing in validations and measurements
   */
  public record ModelSize(
      int layers,
      int width,
      int heads,
      @JsonUnwrapped DecoderForm form,
      @AbsentMeans("\"decoder\"") ModelConfig.Kind kind,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) @AbsentMeans("0.0") double dropout) {

    /** A model with the blocks of GPT-2. */
    public ModelSize(int layers, int width, int heads) {
      this(layers, width, heads, DecoderForm.GPT2, ModelConfig.Kind.DECODER, 0);
    }

    public ModelSize {
      Checks.atLeast("layers", layers, 1);
      Checks.atLeast("width", width, 1);
      Checks.atLeast("heads", heads, 1);
      ModelConfig.requireHeads(width, heads, form.attention());
      Checks.require(dropout >= 0 && dropout < 1, "dropout", "a share from 0 to below 1", dropout);
    }

    /** A recurrent network has none of the parts that other values of these keys choose. */
    private void requireNetwork(PositionalScheme position, boolean hasTask) {
      String because = ", because the kind is " + EnumName.of(kind);
      Checks.require(
          hasTask,
          "model.kind",
          "decoder, because a recurrent network needs the section task, with a regular task",
          EnumName.of(kind));
      Checks.require(layers == 1, "model.layers", "1" + because, layers);
      Checks.require(heads == 1, "model.heads", "1" + because, heads);
      Checks.require(
          position.label().equals("none"),
          "position.scheme",
          "none, because model.kind is " + EnumName.of(kind),
          position.label());
      Checks.require(
          kind != ModelConfig.Kind.RNN || form.activation() == DecoderForm.Activation.RELU,
          "model.activation",
          "relu" + because,
          EnumName.of(form.activation()));
      Checks.require(
          form.initial() == DecoderForm.Initial.FAN_IN,
          "model.initial",
          "fan-in" + because,
          EnumName.of(form.initial()));
      Checks.require(form.causal(), "model.causal", "true" + because, false);
    }

    ModelConfig with(PositionalScheme position, int vocabulary, int labels) {
      return new ModelConfig(
          layers, width, heads, vocabulary, position, Recurrence.none(), form, labels, kind);
    }
  }
}
