package org.lengthwise.eval.bench;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the profile of a step says.
 *
 * @param attention the operators and kernels that attended, and how often each ran; a softmax
 *     outside of them says that the scores were laid out
 * @param outsideProducts the share of the step's time outside matrix products and fused attention,
 *     waits between operators included; null where the profile has no durations of that work
 */
public record StepProfile(Map<String, Integer> attention, @Nullable Double outsideProducts) {
  /** Takes a copy. */
  public StepProfile {
    attention = Collections.unmodifiableMap(new TreeMap<>(attention));
  }
}
