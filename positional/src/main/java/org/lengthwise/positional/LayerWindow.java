package org.lengthwise.positional;

import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;

/**
 * A window in all blocks of a model or in its later ones: a query of these blocks sees the latest W
 * positions only.
 *
 * @param positions W, the number of latest positions that a query sees, its own included
 * @param fromLayer the first block with the window, from 0 on; earlier blocks see all positions
 */
public record LayerWindow(
    @Unit("positions") int positions, @AbsentMeans(value = "0", inYaml = true) int fromLayer) {
  /** Requires W of at least 1 and a block of at least 0. */
  public LayerWindow {
    Checks.atLeast("positions", positions, 1);
    Checks.atLeast("from_layer", fromLayer, 0);
  }

  /**
   * {@return whether a block has the window}
   *
   * @param block the block k
   */
  public boolean covers(int block) {
    return block >= fromLayer;
  }

  /** {@return whether every block has the window} */
  public boolean coversAllBlocks() {
    return fromLayer == 0;
  }

  /**
   * {@return the theoretical receptive field, T if the first block sees all positions}
   *
   * @param layers K, the number of blocks
   * @param length T
   */
  long receptiveField(int layers, long length) {
    return coversAllBlocks() ? Math.min(length, layers * (positions - 1L) + 1) : length;
  }
}
