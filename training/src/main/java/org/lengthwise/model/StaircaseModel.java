package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.Numerics;

/**
 * A decoder whose blocks run row by row, as {@link Staircase} describes. Row s appends chunk s to
 * what the row before carries; after the blocks, a row of N chunks emits its oldest chunk and
 * carries the others. So pass p of a chunk shares its row with later passes of the chunks before
 * it. Rows without a new chunk follow until the last chunk is emitted.
 *
 * <p>Letters: R positions of a row, at most N C.
 */
final class StaircaseModel implements LanguageModel {
  private final ModelConfig config;
  private final int chunk;
  private final int passes;

  /** The blocks as one stack over a row, and the embeddings and the output head. */
  private final Decoder stack;

  StaircaseModel(ModelConfig config, Weights weights, Numerics numerics) {
    Staircase staircase = (Staircase) config.recurrence();
    this.config = config;
    this.chunk = staircase.chunk();
    this.passes = staircase.passes();
    this.stack = new Decoder(config.with(Recurrence.none()), weights, numerics);
  }

  private StaircaseModel(StaircaseModel other, Decoder stack) {
    this.config = other.config;
    this.chunk = other.chunk;
    this.passes = other.passes;
    this.stack = stack;
  }

  @Override
  public StaircaseModel withGradient() {
    return new StaircaseModel(this, stack.withGradient());
  }

  @Override
  public StaircaseModel withDropout(double rate, long seed, long firstRow) {
    return new StaircaseModel(this, stack.withDropout(rate, seed, firstRow));
  }

  @Override
  public ModelConfig config() {
    return config;
  }

  int chunk() {
    return chunk;
  }

  @Override
  public NDArray embed(NDArray tokens_BT) {
    return stack.embed(tokens_BT);
  }

  /** {@link #embed} at the positions from first on. */
  NDArray embed(NDArray tokens_BT, int first) {
    return stack.embed(tokens_BT, first);
  }

  @Override
  public NDArray hidden(NDArray embedded_BTd) {
    NDManager owner = embedded_BTd.getManager();
    try (NDManager pass = owner.newSubManager();
        Rows rows = new Rows(pass)) {
      NDList emitted = new NDList();
      Carry carry = rows.read(Carry.NONE, chunks(embedded_BTd, pass), emitted::add);
      rows.finish(carry, emitted::add);
      NDArray x_BTd = concatenate(emitted);
      x_BTd.attach(owner);
      return x_BTd;
    }
  }

  /** {@inheritDoc} One row is kept at a time. A single pass reads the last chunk only. */
  @Override
  public NDArray lastHidden(NDArray embedded_BTd) {
    NDManager owner = embedded_BTd.getManager();
    try (NDManager pass = owner.newSubManager();
        Rows rows = new Rows(pass)) {
      NDList chunks = chunks(embedded_BTd, pass);
      NDList needed = passes == 1 ? chunks.subNDList(chunks.size() - 1) : chunks;
      NDList last = new NDList();
      Consumer<NDArray> keepLast =
          emitted_BCd -> {
            last.close();
            last.clear();
            last.add(emitted_BCd);
          };
      rows.finish(rows.read(Carry.NONE, needed, keepLast), keepLast);
      NDArray x_Bd = last.singletonOrThrow().get(new NDIndex(":, -1"));
      x_Bd.attach(owner);
      return x_Bd;
    }
  }

  /**
   * {@inheritDoc} A first pass keeps the inputs of all rows. Then each row computes its gradient
   * from these inputs, from the last row to the first.
   */
  @Override
  public NDArray gradient(NDArray embedded_BTd, UnaryOperator<NDArray> scalar) {
    return withGradient().gradientOf(embedded_BTd, scalar);
  }

  private NDArray gradientOf(NDArray embedded_BTd, UnaryOperator<NDArray> scalar) {
    NDManager owner = embedded_BTd.getManager();
    try (NDManager pass = owner.newSubManager();
        Rows rows = new Rows(pass)) { // no input requires a gradient yet
      NDList chunks = chunks(embedded_BTd, pass);
      List<Carry> carries = new ArrayList<>();
      NDList emitted = new NDList();
      Carry carry = Carry.NONE;
      for (int row = 0; row < chunks.size() + passes - 1; row++) {
        carries.add(carry);
        carry = rows.run(carry, row < chunks.size() ? chunks.get(row) : null, emitted::add);
      }
      NDList above = chunks(DecoderLayers.gradientAt(concatenate(emitted), scalar), pass);
      NDList below = new NDList();
      NDList carried = new NDList();
      for (int row = carries.size() - 1; row >= 0; row--) {
        NDList results = new NDList();
        if (row >= passes - 1) {
          results.add(above.get(row - passes + 1));
        }
        results.addAll(carried);
        NDList inputs = new NDList(carries.get(row).rows());
        if (row < chunks.size()) {
          inputs.add(chunks.get(row));
        }
        carried = gradients(inputs, concatenate(results));
        if (row < chunks.size()) {
          below.add(0, carried.remove(carried.size() - 1));
        }
      }
      NDArray gradient_BTd = concatenate(below);
      gradient_BTd.attach(owner);
      return gradient_BTd;
    }
  }

  /** The gradients at the parts of a row, from the gradient at its results. */
  private NDList gradients(NDList parts, NDArray above_BRd) {
    NDArray below_BRd = stack.gradient(concatenate(parts), y_BRd -> y_BRd.mul(above_BRd).sum());
    return parts.size() == 1
        ? new NDList(below_BRd)
        : stack.kernels().splitAfter(below_BRd, parts.get(0).getShape().get(1));
  }

  @Override
  public NDArray loss(NDArray tokens_BT, NDArray targets_BT) {
    StaircaseModel graphs = withGradient();
    return graphs.stack.loss(tokens_BT, targets_BT, graphs::hidden);
  }

  @Override
  public NDArray loss(NDArray tokens_BT, NDArray places_N, NDArray targets_N) {
    StaircaseModel graphs = withGradient();
    return graphs.stack.loss(
        tokens_BT, targets_N, embedded -> graphs.stack.at(places_N, graphs.hidden(embedded)));
  }

  @Override
  public NDArray nll(NDArray x_Nd, NDArray targets_N) {
    return stack.nll(x_Nd, targets_N);
  }

  @Override
  public NDArray logits(NDArray x_Nd) {
    return stack.logits(x_Nd);
  }

  /** {@inheritDoc} The state has the same size after every text, so the context has no limit. */
  @Override
  public TextState begin(NDManager manager, int context, int pinned) {
    return new StaircaseText(this, manager);
  }

  @Override
  public void close() {
    stack.close();
  }

  /** The chunks of a sequence. The last one may be shorter. */
  NDList chunks(NDArray x_BTd, NDManager pass) {
    NDList chunks = stack.kernels().split(x_BTd, chunk);
    chunks.attach(pass);
    return chunks;
  }

  NDArray concatenate(NDList parts) {
    return stack.kernels().concatenate(parts);
  }

  /**
   * What one row hands to the next.
   *
   * @param rows the chunks that still have passes before them, as one tensor [B, R, d]; none before
   *     the first row and after the last
   * @param row the number of rows before
   */
  record Carry(NDList rows, long row) {
    static final Carry NONE = new Carry(new NDList(), 0);

    private void close() {
      rows.close();
    }
  }

  /** The rows of one pass. */
  final class Rows implements AutoCloseable {
    private final NDManager pass;
    private NDManager shared;
    private @Nullable Attention attention;
    private int length;

    Rows(NDManager pass) {
      this.pass = pass;
      this.shared = pass.newSubManager();
    }

    /** One row for each chunk. */
    Carry read(Carry first, NDList chunks, Consumer<NDArray> emit) {
      Carry carry = first;
      for (NDArray chunk_BCd : chunks) {
        carry = next(carry, chunk_BCd, emit, first);
      }
      return carry;
    }

    /** Rows without a new chunk, until the last chunk is emitted. */
    void finish(Carry first, Consumer<NDArray> emit) {
      Carry carry = first;
      while (!carry.rows().isEmpty()) {
        carry = next(carry, null, emit, first);
      }
    }

    private Carry next(
        Carry carry, @Nullable NDArray chunk_BCd, Consumer<NDArray> emit, Carry kept) {
      Carry next = run(carry, chunk_BCd, emit);
      if (carry.row() != kept.row()) {
        carry.close();
      }
      return next;
    }

    /** One row. What it emits and carries belongs to the pass. */
    Carry run(Carry before, @Nullable NDArray chunk_BCd, Consumer<NDArray> emit) {
      try (NDManager step = pass.newSubManager()) {
        NDList parts = new NDList(before.rows());
        if (chunk_BCd != null) {
          parts.add(chunk_BCd);
        }
        NDArray row_BRd = concatenate(parts);
        row_BRd.attach(step);
        int positions = Math.toIntExact(row_BRd.getShape().get(1));
        NDList y = new NDList(stack.layers().run(row_BRd, positions, attention(positions)));
        boolean emits = before.row() >= passes - 1;
        if (emits) {
          NDArray y_BRd = y.singletonOrThrow();
          y = positions <= chunk ? y : stack.kernels().splitAfter(y_BRd, chunk);
          NDArray oldest_BCd = y.remove(0);
          // A part keeps the memory of the whole row.
          NDArray emitted_BCd = stack.kernels().hasGradient() ? oldest_BCd : oldest_BCd.duplicate();
          emitted_BCd.attach(pass);
          emit.accept(emitted_BCd);
        }
        y.attach(pass);
        return new Carry(y, before.row() + 1);
      }
    }

    /** Rows of the same length share their attention. The length changes only at both ends. */
    private Attention attention(int positions) {
      if (attention == null || positions != length) {
        shared.close();
        shared = pass.newSubManager();
        length = positions;
        attention = stack.layers().attention(positions, shared);
      }
      return attention;
    }

    @Override
    public void close() {
      shared.close();
    }
  }
}
