package org.lengthwise.model;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Optional;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.PositionalScheme;

/**
 * A Block-Recurrent Transformer: one block also reads and writes S state vectors, one set before
 * each chunk. Tokens of a chunk read the states before it; the states after it have read the states
 * before it and the chunk's tokens. All else is parallel over the sequence.
 *
 * <p>With z the proposed states and g = sigmoid(gate), the next states are g s + (1 - g) z: a fixed
 * gate and no MLP of the states, which the paper calls fixed and skip.
 *
 * <p>Source: Hutchins, Schlag, Wu, Dyer and Neyshabur, "Block-Recurrent Transformers", NeurIPS
 * 2022.
 *
 * @param chunk C, the tokens of a chunk
 * @param states S, the number of state vectors
 * @param layer r, the block with the states, from 0 to K - 1
 */
@JsonTypeName("block-recurrent")
public record BlockRecurrence(@Unit("positions") int chunk, @Unit("vectors") int states, int layer)
    implements Recurrence {
  /**
   * What training keeps of each state at each chunk: the states, normalised and with ids, their
   * projections (4), both results and their concatenation (4), and the new states (3).
   */
  private static final int STATE_VECTORS = 14;

  /** What training keeps of each token that reads states: its query twice, and what it read. */
  private static final int READ_VECTORS = 4;

  /** Requires a chunk and states of at least 1, and a block number of at least 0. */
  public BlockRecurrence {
    Checks.atLeast("chunk", chunk, 1);
    Checks.atLeast("states", states, 1);
    Checks.atLeast("layer", layer, 0);
  }

  @Override
  public String label() {
    return "block-recurrent-%s-%s-%s".formatted(chunk, states, layer);
  }

  @Override
  public void requireModel(int layers, PositionalScheme position, DecoderForm form) {
    Checks.require(
        layer < layers,
        "recurrence.layer",
        "a block from 0 to %s, because model.layers is %s".formatted(layers - 1, layers),
        layer);
    Checks.require(
        form.norm() == DecoderForm.Norm.PRE,
        "model.norm",
        "pre, because the states read normalised tokens",
        EnumName.of(form.norm()));
    Checks.require(
        form.norms().kind() == NormForm.Kind.LAYER && form.attention().equals(HeadForm.GPT2),
        "recurrence.kind",
        "another one, because the states need LayerNorm and as many heads of keys as of queries",
        label());
    Recurrence.super.requireModel(layers, position, form);
  }

  @Override
  public Optional<String> warning(int length) {
    return Recurrence.oneChunk(chunk, length);
  }

  @Override
  public boolean hasBoundedState(PositionalScheme position) {
    return !position.reach().seesAllKeys();
  }

  /** {@inheritDoc} Each chunk has one small step of the states. */
  @Override
  public long sequentialCalls(int layers, long length) {
    return layers + (length + chunk - 1) / chunk;
  }

  /**
   * {@inheritDoc} From the second chunk on, the states have read every chunk before. This is an
   * upper bound: a window shorter than the chunk leaves out positions of the last chunk.
   */
  @Override
  public long receptiveField(int layers, PositionalScheme position, long length) {
    return length > chunk ? length : position.reach().receptiveField(layers, length);
  }

  @Override
  public long extraVectors(int length) {
    long chunks = (length + chunk - 1L) / chunk;
    return STATE_VECTORS * chunks * states + (long) READ_VECTORS * length;
  }

  /** {@inheritDoc} The two projections of reading, the six of the states, and both scores. */
  @Override
  public double extraFlops(int width) {
    double perToken = (double) states / chunk;
    return 6 * (2 + 6 * perToken) * width * width
        + 12 * width * (states + perToken * (states + chunk));
  }
}
