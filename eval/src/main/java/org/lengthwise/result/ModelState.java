package org.lengthwise.result;

import org.lengthwise.config.EnumName;

/** The measured weights of a run's model: trained or untrained. */
public enum ModelState {
  /** The weights of the checkpoint. */
  TRAINED,
  /** The initial weights of the training, drawn again from the run's seed. */
  UNTRAINED;

  public String label() {
    return EnumName.of(this);
  }
}
