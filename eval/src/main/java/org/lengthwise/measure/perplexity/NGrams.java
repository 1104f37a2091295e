package org.lengthwise.measure.perplexity;

import com.fasterxml.jackson.annotation.JsonTypeName;
import org.lengthwise.measure.MeasurementConfig;

/**
 * A Kneser-Ney model of the training split, measured once for an experiment on the targets of its
 * perplexity measurement.
 *
 * @param order n, the order of the n-gram model: it reads n - 1 tokens
 */
@JsonTypeName("baseline")
public record NGrams(int order) implements MeasurementConfig {
  public NGrams {
    Baseline.requireOrder(order);
  }
}
