package org.lengthwise.positional;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.function.UnaryOperator;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;
import org.lengthwise.positional.PositionalParameter.Initial;

/**
 * A scheme whose scores are multiplied by a {@link Temperature}. In configurations it is the key
 * {@code temperature} beside the keys of the other scheme.
 *
 * @param of the scheme without a temperature
 */
@JsonSerialize(using = TemperatureKey.Writer.class)
public record Tempered(PositionalScheme of, Temperature temperature) implements CompoundScheme {
  public static final String SCALE = "s";

  public Tempered {
    Checks.require(
        of.noTemperature().isEmpty(),
        TemperatureKey.KEY,
        "none, because " + of.noTemperature().orElse(""),
        EnumName.of(temperature.name()));
    Checks.require(
        !temperature.hasScales()
            || of.parameters(1, 2).stream().noneMatch(tensor -> tensor.name().equals(SCALE)),
        TemperatureKey.KEY,
        "a formula without a parameter s, which is the name of the learned factors",
        "s");
    boolean isOfBiases = temperature.on() == Temperature.On.SCORES;
    boolean hasTable = of instanceof DistanceBias;
    boolean hasNone = of instanceof Rotary || of.positionTable() != PositionTable.NONE;
    Checks.require(
        !isOfBiases || hasTable || hasNone || of instanceof NoPosition,
        TemperatureKey.KEY + ".on",
        "products, because only biases by distance, such as those of alibi and t5, can be multiplied",
        "scores with " + of.label());
  }

  /** {@return whether biases are multiplied, too} */
  public boolean multipliesBiases() {
    return temperature.on() == Temperature.On.SCORES && of instanceof DistanceBias;
  }

  @Override
  public List<PositionalScheme> parts() {
    return List.of(of);
  }

  @Override
  public PositionalScheme withParts(UnaryOperator<PositionalScheme> change) {
    PositionalScheme other = change.apply(of);
    return other.equals(of) ? this : new Tempered(other, temperature);
  }

  /** Every temperature is another scheme in results. */
  @Override
  public String label() {
    return "%s-%s%s"
        .formatted(
            of.label(),
            EnumName.of(temperature.name()),
            temperature.on() == Temperature.On.SCORES ? "-scores" : "");
  }

  @Override
  public String untemperedLabel() {
    return of.untemperedLabel();
  }

  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.tempered(this);
  }

  @Override
  public String summary() {
    return temperature.summary();
  }

  @Override
  public PositionalScheme trainedAt(int length, int heads, int width, int layers) {
    return new Tempered(of.trainedAt(length, heads, width, layers), temperature.trainedAt(length));
  }

  @Override
  public Optional<String> noTemperature() {
    return Optional.of(label() + " has a temperature of its own");
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    List<PositionalParameter> parameters = new ArrayList<>(of.parameters(heads, width));
    if (temperature.hasScales()) {
      Initial first = new Initial.Constant(temperature.firstScale());
      parameters.add(PositionalParameter.ofBlock(SCALE, List.of(heads), first));
    }
    return List.copyOf(parameters);
  }

  /** The keys that a query sees are those with a finite score. */
  @Override
  public double[] scores(ReferenceAttention.Rows rows, int head, int level, int query) {
    long numKeys =
        Arrays.stream(of.scores(rows, head, level, query)).filter(Double::isFinite).count();
    IntToDoubleFunction factor =
        h ->
            temperature.factor(numKeys)
                * (temperature.hasScales() ? rows.values().at(SCALE, h) : 1);
    if (!multipliesBiases()) {
      return of.scores(rows.withQuery(query, factor), head, level, query);
    }
    return Arrays.stream(of.scores(rows, head, level, query))
        .map(score -> Double.isFinite(score) ? score * factor.applyAsDouble(head) : score)
        .toArray();
  }
}
