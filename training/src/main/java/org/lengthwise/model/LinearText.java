package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import org.lengthwise.positional.attention.LayerStates;

/**
 * Keeps the states of linear recurrences, the only thing that such a model knows of a text. A token
 * costs the same time and memory, whatever came before.
 */
final class LinearText implements TextState {
  private final Decoder model;
  private final NDManager results;
  private final LayerStates states;
  private final DecoderLayers layers;

  LinearText(Decoder model, NDManager manager) {
    this.model = model;
    this.results = manager;
    this.states = new LayerStates(manager);
    this.layers = model.layers().withStates(states);
  }

  @Override
  public NDArray append(int[] tokens) {
    return read(tokens, 1);
  }

  @Override
  public NDArray appendAll(int[] tokens) {
    return read(tokens, tokens.length);
  }

  /** The hidden states [n, d] of the last n tokens. */
  private NDArray read(int[] tokens, int wanted) {
    try (NDManager text = results.newSubManager()) {
      long[] ids = Arrays.stream(tokens).asLongStream().toArray();
      NDArray tokens_1T = text.create(ids, new Shape(1, ids.length));
      NDArray x_nd =
          Pieces.lastHidden(tokens_1T, wanted, piece -> layers.run(model.embed(piece))).get(0);
      x_nd.attach(results);
      return x_nd;
    }
  }

  @Override
  public void close() {
    states.close();
  }
}
