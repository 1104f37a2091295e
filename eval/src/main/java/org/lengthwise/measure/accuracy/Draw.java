package org.lengthwise.measure.accuracy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.config.ConfigLoader;

/**
 * How strings of a regular task are drawn.
 *
 * @param p the probability of b in parity_check, 0.5 for all other tasks
 */
public record Draw(Negatives negatives, double p) {

  /**
   * {@return the name of the stream of random numbers of a measurement's strings, before the number
   * of a string} Strings depend on seed, draw and length only: models of one task label the same
   * strings.
   */
  public String stream(int length) {
    return "accuracy/%s/%s/%s/".formatted(negatives, p, length);
  }

  /** The settings of a result line. */
  ObjectNode settings() {
    return ConfigLoader.strictMapper().valueToTree(this);
  }
}
