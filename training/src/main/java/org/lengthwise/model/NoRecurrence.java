package org.lengthwise.model;

import com.fasterxml.jackson.annotation.JsonTypeName;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionalScheme;

/** A transformer: every block runs once over the whole sequence, or once for each level. */
@JsonTypeName("none")
public record NoRecurrence() implements Recurrence {
  @Override
  public String label() {
    return "none";
  }

  @Override
  public int chunk() {
    return 1;
  }

  @Override
  public boolean allows(PositionChange change) {
    return true;
  }

  /**
   * {@inheritDoc}
   *
   * @return the rows of the first block, as other positions have embeddings only
   */
  @Override
  public long positionsForLast(int layers, PositionalScheme position, int length) {
    return length - position.reach().firstRow(0, layers, length);
  }

  @Override
  public void requireModel(int layers, PositionalScheme position, DecoderForm form) {}
}
