package org.lengthwise.training.optimizer;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.model.ParameterSpec;
import org.lengthwise.positional.PositionalParameter.BiasTable;
import org.lengthwise.training.config.OptimizerConfig;

/**
 * How far training can move the biases of a table. Adam moves a number by about the learning rate
 * in each step, so by at most about the sum of the learning rates.
 *
 * @param startsFlat whether {@code optimizer.positional_rate} applies to the table
 * @param numEntries C, the biases of a head
 * @param nats the most by which a bias moves: the sum of the learning rates, times {@code
 *     positionalRate} where it applies, times the factors of the table and of its learning rate
 */
public record TableReach(String table, boolean startsFlat, int numEntries, double nats) {

  /**
   * {@return the reach of the table of a model that is hardest to learn, or empty if the model has
   * no table of biases}
   */
  public static Optional<TableReach> of(ModelConfig model, OptimizerConfig config, long steps) {
    double sum = LearningRateSchedule.of(config, steps).sum();
    return ParameterLayout.of(model).stream()
        .flatMap(spec -> spec.table().map(table -> of(spec, table, sum, config)).stream())
        .min(Comparator.comparingDouble(reach -> reach.nats() - reach.needed()));
  }

  private static TableReach of(
      ParameterSpec spec, BiasTable table, double sum, OptimizerConfig config) {
    double rate = spec.rate() * (spec.startsFlat() ? config.positionalRate() : 1);
    int numEntries = spec.shape().get(table.entryAxis());
    return new TableReach(spec.name(), spec.startsFlat(), numEntries, sum * rate * table.factor());
  }

  /**
   * {@return ln(C - 1): how far one bias must lie above all others to receive half of the
   * attention, if all scores are equal otherwise}
   */
  public double needed() {
    return Math.log(numEntries - 1.0);
  }

  public boolean isTooShort() {
    return nats < needed();
  }

  public Optional<String> warning() {
    return !isTooShort()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the training can move the biases of %s by about %.2f, but half of the attention on"
                    + " one of %d keys needs ln(%d) = %.2f: %s",
                table,
                nats,
                numEntries,
                numEntries - 1,
                needed(),
                startsFlat
                    ? "raise optimizer.positional_rate, or train for more steps"
                    : "train for more steps, or raise optimizer.learning_rate"));
  }
}
