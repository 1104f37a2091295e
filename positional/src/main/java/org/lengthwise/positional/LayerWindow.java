package org.lengthwise.positional;

import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;

/**
 * A window in all blocks of a model or in its later ones. A query of these blocks sees the latest W
 * positions only, or with chunks those of its own chunk: keys n with floor(n / W) = floor(m / W).
 *
 * @param positions W, the number of latest positions that a query sees, its own included, or the
 *     size of a chunk
 * @param fromLayer the first block with the window, from 0 on; earlier blocks see all positions
 * @param chunks whether the keys lie in chunks, which count from position 0
 */
public record LayerWindow(
    @Unit("positions") int positions,
    @AbsentMeans("0") int fromLayer,
    @AbsentMeans("false") boolean chunks)
    implements Reach {
  public LayerWindow {
    Checks.atLeast("positions", positions, 1);
    Checks.atLeast("from_layer", fromLayer, 0);
  }

  public LayerWindow(int positions, int fromLayer) {
    this(positions, fromLayer, false);
  }

  public boolean covers(int block) {
    return block >= fromLayer;
  }

  @Override
  public boolean seesAllKeys() {
    return fromLayer > 0;
  }

  @Override
  public long firstKey(int block, long query) {
    if (!covers(block)) {
      return 0;
    }
    return chunks ? query - query % positions : Math.max(0, query - positions + 1);
  }

  @Override
  public long alignment() {
    return chunks ? positions : 1;
  }
}
