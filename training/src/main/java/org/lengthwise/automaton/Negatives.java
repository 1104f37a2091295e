package org.lengthwise.automaton;

import org.lengthwise.config.EnumName;

/** How strings outside a language are drawn. */
public enum Negatives {
  /** All strings outside the language have the same probability. */
  UNIFORM,
  /** A string of the language with a small change. */
  NEAR;

  @Override
  public String toString() {
    return EnumName.of(this); // as on the command line
  }
}
