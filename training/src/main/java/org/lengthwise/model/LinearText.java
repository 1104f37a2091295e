package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
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
    return read(tokens, 1);
  }

  @Override
  public NDArray appendAll(int[] tokens) {
    return read(tokens, tokens.length);
  }

  /** The hidden states [n, d] of the last n tokens. */
  private NDArray read(int[] tokens, int wanted) {
    try (NDManager rows = results.newSubManager()) {
      NDList parts = new NDList();
      for (int first = 0; first < tokens.length; first += MOST_TOKENS) {
        int end = Math.min(first + MOST_TOKENS, tokens.length);
        try (NDManager pass = rows.newSubManager()) {
          long[] ids = Arrays.stream(tokens, first, end).asLongStream().toArray();
          NDArray embedded_1Td = model.embed(pass.create(ids, new Shape(1, ids.length)));
          NDArray x_Td = layers.run(embedded_1Td).get(0);
          int skipped = Math.max(0, tokens.length - wanted - first);
          if (skipped < ids.length) {
            NDArray part = x_Td.get(new NDIndex("{}:", skipped)).duplicate();
            part.attach(rows);
            parts.add(part);
          }
        }
      }
      NDArray x_nd = NDArrays.concat(parts);
      x_nd.attach(results);
      return x_nd;
    }
  }

  @Override
  public void close() {
    states.close();
  }
}
