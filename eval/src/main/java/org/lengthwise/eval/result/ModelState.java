package org.lengthwise.eval.result;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Which weights of a run's model are measured. */
public enum ModelState {
  /** Those of the checkpoint. */
  TRAINED,
  /** Those that training began with, drawn again from the run's seed. */
  UNTRAINED;

  /**
   * The name in files.
   *
   * @return {@code trained} or {@code untrained}
   */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The state with a name.
   *
   * @param label {@code trained} or {@code untrained}
   * @return the state
   * @throws IllegalArgumentException for any other name
   */
  @JsonCreator
  public static ModelState of(String label) {
    for (ModelState state : values()) {
      if (state.label().equals(label)) {
        return state;
      }
    }
    throw new IllegalArgumentException("expected trained or untrained, found " + label);
  }
}
