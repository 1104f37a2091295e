package org.lengthwise.measure.perplexity;

import com.fasterxml.jackson.annotation.JsonTypeName;
import org.lengthwise.measure.MeasurementConfig;

/**
 * A Kneser-Ney model of the training split, measured once for an experiment on the targets of its
 * perplexity measurement.
 *
 * @param order n, from 1 to {@link Baseline#LARGEST_ORDER}
 */
@JsonTypeName("baseline")
public record NGrams(int order) implements MeasurementConfig {
  /** Requires an order that {@link Baseline} accepts. */
  public NGrams {
    Baseline.requireOrder(order);
  }
}
