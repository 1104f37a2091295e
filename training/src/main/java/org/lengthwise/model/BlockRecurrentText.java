package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Attention;

/**
 * Keeps, at the latest end of a chunk, the states and the inputs of every block within the window
 * before it, and the embeddings of the tokens after it. The next token costs K blocks over the
 * unfinished chunk and the window before it, whatever came before.
 */
final class BlockRecurrentText implements TextState {
  private final Decoder model;
  private final RecurrentBlock block;
  private final int chunk;

  /** The positions before a query that it sees in any block: W - 1. */
  private final long before;

  private final NDManager results;
  private NDManager kept;
  private Carry carry;
  private NDList begun = new NDList();
  private int position;

  /**
   * What is kept at the end of a chunk.
   *
   * @param inputs the inputs of each block at the latest positions [1, w, d]; none before the first
   * @param states the states [1, S, d]; none before the first chunk
   */
  private record Carry(NDList inputs, NDList states) {}

  BlockRecurrentText(Decoder model, RecurrentBlock block, NDManager manager) {
    this.model = model;
    this.block = block;
    this.chunk = block.chunk();
    PositionalScheme scheme = model.config().position();
    long far = Integer.MAX_VALUE;
    this.before =
        IntStream.range(0, model.config().layers())
            .mapToLong(k -> far - scheme.reach().firstKey(k, far))
            .max()
            .orElseThrow();
    this.results = manager;
    this.kept = manager.newSubManager();
    this.carry = new Carry(new NDList(), new NDList());
  }

  @Override
  public NDArray append(int[] tokens) {
    return read(tokens, 1);
  }

  @Override
  public NDArray appendAll(int[] tokens) {
    return read(tokens, tokens.length);
  }

  /** The hidden states of the last of some tokens [n, d]. */
  private NDArray read(int[] tokens, int wanted) {
    try (NDManager pass = results.newSubManager()) {
      long[] ids = Arrays.stream(tokens).asLongStream().toArray();
      NDList parts = new NDList(begun);
      parts.add(model.embed(pass.create(ids, new Shape(1, ids.length)), position));
      NDArray x_1nd = concatenate(parts, pass);
      long length = x_1nd.getShape().get(1);
      long whole = length - length % chunk;
      NDList unfinished =
          whole == length ? new NDList() : new NDList(x_1nd.get(new NDIndex(":, {}:", whole)));
      NDList inputs = new NDList();
      NDArray states_1Sd = carry.states().isEmpty() ? block.init_Sd() : carry.states().get(0);
      long keys = carry.inputs().isEmpty() ? 0 : carry.inputs().get(0).getShape().get(1);
      Attention attention = model.layers().attention(Math.toIntExact(keys + length), pass);
      for (int k = 0; k < model.config().layers(); k++) {
        NDArray rows_1Pd =
            carry.inputs().isEmpty()
                ? x_1nd
                : concatenate(new NDList(carry.inputs().get(k), x_1nd), pass);
        long end = keys + whole;
        inputs.add(rows_1Pd.get(new NDIndex(":, {}:{}", Math.max(0, end - before), end)));
        if (k == block.index()) {
          NDList found =
              block.forward(rows_1Pd, keys, states_1Sd, true, attention, model.kernels());
          x_1nd = found.get(0);
          states_1Sd = found.get(1);
        } else {
          NDArray y_1Pd = model.layers().forward(k, rows_1Pd, attention);
          x_1nd = y_1Pd.get(new NDIndex(":, {}:", keys));
        }
      }
      position += tokens.length;
      keep(inputs, states_1Sd, unfinished);
      NDArray x_nd = x_1nd.get(new NDIndex("0, {}:", -wanted));
      x_nd.attach(results);
      return x_nd;
    }
  }

  /** The result would belong to what is kept. */
  private NDArray concatenate(NDList parts, NDManager pass) {
    NDArray whole = model.kernels().concatenate(parts);
    whole.attach(pass);
    return whole;
  }

  private void keep(NDList inputs, NDArray states_1Sd, NDList unfinished) {
    NDManager owner = results.newSubManager();
    carry = new Carry(copy(inputs, owner), copy(new NDList(states_1Sd), owner));
    begun = copy(unfinished, owner);
    kept.close();
    kept = owner;
  }

  /** A part of a tensor keeps the memory of the whole. */
  private static NDList copy(NDList parts, NDManager owner) {
    NDList copies = new NDList();
    parts.forEach(part -> copies.add(part.duplicate()));
    copies.attach(owner);
    return copies;
  }

  @Override
  public void close() {
    kept.close();
  }
}
