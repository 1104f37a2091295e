package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Keeps the latest tokens of a text and reads all of them again after each piece. */
final class RereadText implements TextState {
  private final LanguageModel model;
  private final NDManager manager;
  private final int context;
  private int[] latest = new int[0];

  RereadText(LanguageModel model, NDManager manager, int context) {
    this.model = model;
    this.manager = manager;
    this.context = context;
  }

  @Override
  public NDArray append(int[] tokens) {
    int[] text = IntStream.concat(Arrays.stream(latest), Arrays.stream(tokens)).toArray();
    latest = Arrays.copyOfRange(text, Math.max(0, text.length - context), text.length);
    try (NDManager pass = manager.newSubManager()) {
      long[] ids = Arrays.stream(latest).asLongStream().toArray();
      NDArray tokens_BT = pass.create(ids, new Shape(1, ids.length));
      NDArray x_1d = model.lastHidden(model.embed(tokens_BT, false));
      x_1d.attach(manager);
      return x_1d;
    }
  }

  @Override
  public void close() {
    // There is nothing to release: the text is in Java's heap.
  }
}
