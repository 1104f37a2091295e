package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import org.lengthwise.positional.attention.LayerStates;

/**
 * Keeps the states of linear recurrences, the only thing that such a model knows of a text. A token
 * costs the same time and memory, whatever came before.
 */
final class LinearText implements TextState {
  /** The tokens of a pass, so that a long piece needs no more memory than this. */
  private static final int MOST_TOKENS = 1024;

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
    int last = (tokens.length - 1) / MOST_TOKENS * MOST_TOKENS;
    for (int first = 0; first < last; first += MOST_TOKENS) {
      read(Arrays.copyOfRange(tokens, first, first + MOST_TOKENS), 1).close();
    }
    return read(Arrays.copyOfRange(tokens, last, tokens.length), 1);
  }

  @Override
  public NDArray appendAll(int[] tokens) {
    return read(tokens, tokens.length);
  }

  /** The hidden states of the last of some tokens [n, d]. */
  private NDArray read(int[] tokens, int wanted) {
    try (NDManager pass = results.newSubManager()) {
      long[] ids = Arrays.stream(tokens).asLongStream().toArray();
      NDArray embedded_1Td = model.embed(pass.create(ids, new Shape(1, ids.length)));
      NDArray x_nd = layers.run(embedded_1Td).get(new NDIndex("0, {}:", -wanted)).duplicate();
      x_nd.attach(results);
      return x_nd;
    }
  }

  @Override
  public void close() {
    states.close();
  }
}
