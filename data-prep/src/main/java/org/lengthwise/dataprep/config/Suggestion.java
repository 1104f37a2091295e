package org.lengthwise.dataprep.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;

/** The right name nearest to a wrong one. */
final class Suggestion {
  /** Below this similarity two names have nothing to do with one another. */
  private static final double NEAR = 0.75;

  private Suggestion() {}

  /** A question to append to a message, or nothing when no name is near. */
  static String among(String wrong, Collection<String> names) {
    return nearest(wrong, names).map(name -> " (did you mean `" + name + "`?)").orElse("");
  }

  /** The name nearest to another, when one is near. */
  static Optional<String> nearest(String other, Collection<String> names) {
    JaroWinklerSimilarity similarity = new JaroWinklerSimilarity();
    return names.stream()
        .filter(name -> similarity.apply(other, name) >= NEAR)
        .max(Comparator.comparingDouble(name -> similarity.apply(other, name)));
  }
}
