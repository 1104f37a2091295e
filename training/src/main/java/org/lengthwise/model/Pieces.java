package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import java.util.function.UnaryOperator;

/**
 * Reads texts in pieces, for models of linear recurrences, which carry their states from one piece
 * to the next. So a long text needs no more memory than a piece and the hidden states asked for.
 */
public final class Pieces {
  /** The tokens of a piece. */
  public static final int TOKENS = 1024;

  private Pieces() {}

  /**
   * {@return the hidden states [B, n, d] of the last n tokens, in the manager of the tokens}
   *
   * @param tokens_BT texts of equal length
   * @param wanted n
   * @param hidden gives the hidden states [B, P, d] of a piece [B, P], in order
   */
  public static NDArray lastHidden(NDArray tokens_BT, long wanted, UnaryOperator<NDArray> hidden) {
    NDManager result = tokens_BT.getManager();
    long length = tokens_BT.getShape().get(1);
    NDList parts = new NDList();
    for (long first = 0; first < length; first += TOKENS) {
      long end = Math.min(first + TOKENS, length);
      try (NDManager pass = result.newSubManager()) {
        NDArray x_BPd = hidden.apply(tokens_BT.get(pass, new NDIndex(":, {}:{}", first, end)));
        long skipped = Math.max(0, length - wanted - first);
        if (skipped < end - first) {
          NDArray part = x_BPd.get(new NDIndex(":, {}:", skipped)).duplicate();
          part.attach(result);
          parts.add(part);
        }
      }
    }
    return NDArrays.concat(parts, 1);
  }
}
