package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import org.lengthwise.model.StaircaseModel.Carry;
import org.lengthwise.model.StaircaseModel.Rows;

/**
 * Keeps what the rows carried at the latest end of a chunk, and the embeddings of the tokens after
 * it. The next token costs N rows, whatever came before.
 */
final class StaircaseText implements TextState {
  private final StaircaseModel model;
  private final NDManager results;
  private NDManager kept;
  private Carry carry = Carry.NONE;
  private NDList begun = new NDList();
  private int position;

  StaircaseText(StaircaseModel model, NDManager manager) {
    this.model = model;
    this.results = manager;
    this.kept = manager.newSubManager();
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
    try (NDManager pass = results.newSubManager();
        Rows rows = model.new Rows(pass)) {
      long[] ids = Arrays.stream(tokens).asLongStream().toArray();
      NDList parts = new NDList(begun);
      parts.add(model.embed(pass.create(ids, new Shape(1, ids.length)), position));
      NDList chunks = model.chunks(model.concatenate(parts), pass);
      NDArray last_1Cd = chunks.remove(chunks.size() - 1);
      NDList emitted = new NDList();
      Carry before = rows.read(carry, chunks, emitted::add);
      Carry after = rows.run(before, last_1Cd, emitted::add);
      rows.finish(after, emitted::add);
      position += tokens.length;
      boolean isWhole = position % model.chunk() == 0;
      keep(isWhole ? after : before, isWhole ? new NDList() : new NDList(last_1Cd));
      NDArray x_nd = model.concatenate(emitted).get(new NDIndex("0, {}:", -wanted));
      x_nd.attach(results);
      return x_nd;
    }
  }

  private void keep(Carry next, NDList unfinished) {
    NDManager owner = results.newSubManager();
    carry = new Carry(copy(next.rows(), owner), next.row());
    begun = copy(unfinished, owner);
    kept.close();
    kept = owner;
  }

  /** A part of a tensor keeps the memory of the whole. */
  private static NDList copy(NDList parts, NDManager owner) {
    NDList copies = new NDList();
    for (NDArray part : parts) {
      copies.add(part.duplicate());
    }
    copies.attach(owner);
    return copies;
  }

  @Override
  public void close() {
    kept.close();
  }
}
