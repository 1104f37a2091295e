package org.lengthwise.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;

/** Suggestions for misspelt names. */
public final class Nearest {
  /** The smallest Jaro-Winkler similarity of a name that is suggested. */
  private static final double LEAST_SIMILARITY = 0.75;

  private Nearest() {}

  /**
   * {@return the most similar name as a question, to append to a message, such as {@code (did you
   * mean `width`?)} after a space, or nothing if no name is similar}
   */
  public static String suggestion(String wrong, Collection<String> names) {
    return name(wrong, names).map(name -> " (did you mean `" + name + "`?)").orElse("");
  }

  /** {@return the most similar name, if one is similar enough} */
  public static Optional<String> name(String wrong, Collection<String> names) {
    JaroWinklerSimilarity similarity = new JaroWinklerSimilarity();
    return names.stream()
        .filter(name -> similarity.apply(wrong, name) >= LEAST_SIMILARITY)
        .max(Comparator.comparingDouble(name -> similarity.apply(wrong, name)));
  }
}
