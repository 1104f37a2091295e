package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.config.Unit;
import org.lengthwise.error.Count;
import org.lengthwise.positional.formula.Evaluation;
import org.lengthwise.positional.formula.Expression;
import org.lengthwise.positional.formula.FormulaText;
import org.lengthwise.positional.formula.KernelText;
import org.lengthwise.positional.formula.Unrolling;
import org.lengthwise.positional.formula.Variable;
import org.lengthwise.positional.formula.Window;

/**
 * A scheme that its user writes: a bias as a formula, a condition that says which keys a query
 * sees, and the parameters of both.
 *
 * <p>The formula decides the form of attention. If it depends on positions only by their distance,
 * the bias is a table by distance. If the condition is also {@code delta < W}, attention is a
 * sliding window. Otherwise the bias is computed for one block of queries at a time.
 *
 * <p>The idea that a user writes the function of a score is that of PyTorch's FlexAttention (Dong
 * et al., "Flex Attention: A Programming Model for Generating Optimized Attention Kernels", 2024).
 *
 * @param bias a formula of what is added to a scaled score
 * @param visible a condition without parameters: a query sees a key where it is not 0; absent if a
 *     query sees all earlier keys
 * @param parameters the learnable numbers by name, in the order of the checkpoint
 * @param trainLength T_tr; a training run sets it, 0 before
 */
@JsonTypeName("formula")
public record Formula(
    FormulaText bias,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable FormulaText visible,
    @AbsentMeans("{}") Map<String, FormulaParameter> parameters,
    @AbsentMeans("0") @Unit("tokens") int trainLength)
    implements PositionalScheme {
  public Formula {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    Checks.atLeast("train_length", trainLength, 0);
    FormulaChecks.requireNames(bias, visible, parameters);
  }

  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.formula(this);
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    return parameters.entrySet().stream()
        .map(
            entry -> {
              double factor =
                  entry.getValue().size() == null
                      ? 0
                      : bias.tree().factor(entry.getKey(), constants(heads, width / heads));
              return entry.getValue().tensor(entry.getKey(), heads, factor);
            })
        .toList();
  }

  @Override
  public void requireShape(int heads, int headWidth, int width) {
    kernels(heads, headWidth);
  }

  /** A formula for one shape of a model: constants are numbers, and sums are written out. */
  private Expression written(FormulaText formula, int heads, int headWidth) {
    return Unrolling.of(formula.tree(), constants(heads, headWidth));
  }

  private Map<Variable, Double> constants(int heads, int headWidth) {
    return Map.of(
        Variable.HEADS, (double) heads,
        Variable.HEAD_WIDTH, (double) headWidth,
        Variable.TRAIN_LENGTH, (double) Math.max(1, trainLength));
  }

  /** {@return the methods of {@link KernelText} for H heads of width D} */
  public String kernels(int heads, int headWidth) {
    return KernelText.of(
        written(bias, heads, headWidth),
        visible == null ? null : written(visible, heads, headWidth),
        visible != null || dependsOnPositions(),
        heads,
        List.copyOf(parameters.keySet()));
  }

  /** It fixes T_tr, and checks low, middle and high first values of the parameters. */
  @Override
  public Formula trainedAt(int length, int heads, int width, int layers) {
    return trainedAt(length, length, heads, width, layers);
  }

  Formula trainedAt(int length, int longest, int heads, int width, int layers) {
    Formula trained = new Formula(bias, visible, parameters, length);
    try {
      trained.requireShape(heads, width / heads, width);
      FormulaChecks.requireFiniteAtFirst(trained, heads, width, layers, longest);
    } catch (InvalidValueException e) {
      throw e.below("position");
    }
    return trained;
  }

  /** A bias by query is checked at 64 queries, with the first and the last one. */
  @Override
  public void requireFinite(List<PositionalValues> blocks, long length) {
    blocks.stream()
        .limit(dependsOnLayer() ? blocks.size() : 1)
        .forEach(values -> FormulaChecks.requireFinite(this, values, length));
  }

  @Override
  public boolean hasFormula() {
    return true;
  }

  /** Names a pair in a message: its distance, and its query and head if they matter. */
  String place(long query, long distance, int head) {
    return "distance %s%s%s"
        .formatted(
            distance,
            dependsOnPositions() ? " of query " + query : "",
            dependsOnHead() ? " in head " + (head + 1) : "");
  }

  boolean dependsOnHead() {
    return uses(Variable.HEAD)
        || parameters.values().stream().anyMatch(FormulaParameter::isPerHead);
  }

  /**
   * {@return the number of operations of the bias that have a parameter, at least 1} A backward
   * pass keeps a result of each.
   */
  public long numSteps() {
    return 1 + bias.tree().nodes().filter(node -> !node.parameters().isEmpty()).count();
  }

  public boolean uses(Variable variable) {
    return bias.tree().uses(variable) || (visible != null && visible.tree().uses(variable));
  }

  /** {@return whether a formula has m or n, other than as m - n} */
  public boolean dependsOnPositions() {
    return uses(Variable.QUERY) || uses(Variable.KEY);
  }

  /** {@return whether blocks of the model have biases of their own} */
  public boolean dependsOnLayer() {
    return uses(Variable.LAYER)
        || parameters.values().stream().anyMatch(FormulaParameter::isPerLayer);
  }

  @Override
  public boolean attendsByDistance() {
    return !dependsOnPositions()
        && !uses(Variable.LENGTH)
        && (visible == null || window().isPresent());
  }

  /** {@return W of a condition such as {@code delta < 256}, if the bias depends on no position} */
  public OptionalInt window() {
    if (visible == null || dependsOnPositions()) {
      return OptionalInt.empty();
    }
    return Window.of(
        visible.tree(),
        trainLength == 0 ? Map.of() : Map.of(Variable.TRAIN_LENGTH, (double) trainLength));
  }

  @Override
  public Reach reach() {
    if (window().isPresent()) {
      return new LayerWindow(window().getAsInt(), 0);
    }
    return visible == null ? Reach.EARLIER : new FormulaReach(this, visible.tree());
  }

  @Override
  public Optional<String> noTemperature() {
    return visible == null || window().isPresent()
        ? Optional.empty()
        : Optional.of("the number of keys follows from a condition that is no window");
  }

  @Override
  public LengthUse lengths() {
    return uses(Variable.LENGTH)
        ? new LengthUse(Long.MAX_VALUE, length -> false, false)
        : LengthUse.ANY;
  }

  @Override
  public List<String> described() {
    Stream<String> condition = Stream.ofNullable(visible).map(it -> "visible = " + it.text());
    return Stream.of(Stream.of("bias = " + bias.text()), condition, Stream.of(form()))
        .flatMap(lines -> lines)
        .toList();
  }

  private String form() {
    if (dependsOnPositions()) {
      return "attention by query: each layer computes the bias in blocks of queries";
    }
    String tables = dependsOnLayer() ? "a table for each layer" : "one table for all layers";
    return window().isPresent()
        ? "attention within a window of %s: %s".formatted(Count.of(window().getAsInt()), tables)
        : "attention by distance: " + tables;
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    Evaluation evaluation = at(values, head, query, distance);
    return visible != null && evaluation.of(visible.tree()) == 0
        ? Double.NEGATIVE_INFINITY
        : evaluation.of(bias.tree());
  }

  Evaluation at(PositionalValues values, int head, long query, long distance) {
    return new Evaluation(new Point(this, values, head, query, distance));
  }

  /** The variables and parameters of one pair; the head counts from 0. */
  private record Point(
      Formula formula, PositionalValues values, int head, long query, long distance)
      implements Evaluation.Point {

    @Override
    public double variable(Variable variable) {
      return switch (variable) {
        case DELTA -> distance;
        case QUERY -> query;
        case KEY -> query - distance;
        case LENGTH -> values.length();
        case TRAIN_LENGTH -> Math.max(1, formula.trainLength);
        case HEAD -> head + 1;
        case HEADS -> values.heads();
        case HEAD_WIDTH -> values.headWidth();
        case LAYER -> values.block();
      };
    }

    @Override
    public double parameter(String name) {
      FormulaParameter parameter = described(name);
      return parameter.bounds().clamp(values.at(name, parameter.isPerHead() ? head : 0));
    }

    @Override
    public double entry(String table, double index) {
      FormulaParameter parameter = described(table);
      int size = Optional.ofNullable(parameter.size()).orElseThrow();
      if (!(index >= 0 && index < size)) {
        throw new InvalidValueException(
            "bias",
            "an index of `%s` from 0 to %s".formatted(table, size - 1),
            "%s at %s".formatted(index, formula.place(query, distance, head)));
      }
      int first = parameter.isPerHead() ? head * size : 0;
      return parameter.bounds().clamp(values.at(table, first + (int) index));
    }

    private FormulaParameter described(String name) {
      return Objects.requireNonNull(formula.parameters.get(name), name);
    }
  }
}
