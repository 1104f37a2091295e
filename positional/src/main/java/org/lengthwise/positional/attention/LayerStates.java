package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The states of a model's linear recurrences between two passes, by block. */
public final class LayerStates implements AutoCloseable {
  private final NDManager owner;
  private final Map<Integer, NDList> byBlock = new HashMap<>();

  /** States of 0, whose tensors a child of the manager will own. */
  public LayerStates(NDManager manager) {
    this.owner = manager.newSubManager();
  }

  Optional<NDList> get(int block) {
    return Optional.ofNullable(byBlock.get(block));
  }

  /**
   * Copies, because a part of a tensor keeps the memory of the whole, and a graph that of a pass.
   */
  void put(int block, NDList states) {
    NDList copies = new NDList();
    states.forEach(state -> copies.add(state.stopGradient().duplicate()));
    copies.attach(owner);
    Optional.ofNullable(byBlock.put(block, copies)).ifPresent(NDList::close);
  }

  @Override
  public void close() {
    owner.close();
  }
}
