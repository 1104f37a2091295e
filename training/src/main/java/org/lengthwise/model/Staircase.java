package org.lengthwise.model;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.PositionalScheme;

/**
 * Staircase attention: the same blocks run N times over each chunk. Pass p of chunk i reads, block
 * by block, its own chunk and pass p + n of chunk i - n, for n = 1..N-p. These passes run at the
 * same time, in a row of at most N neighbouring chunks, which is an ordinary causal sequence.
 *
 * <p>With N = 1, chunks are isolated. With C &gt;= T there is one chunk, and the blocks run N times
 * over it, so no recurrence remains. A Staircase has no tensors of its own.
 *
 * <p>Source: Ju, Roller, Sukhbaatar and Weston, "Staircase Attention for Recurrent Processing of
 * Sequences", NeurIPS 2022. As in the code of Soulos et al., "Recurrent Transformers Trade-off
 * Parallelism for Length Generalization on Regular Languages", 2024, the first row is the first
 * chunk alone; Ju et al. put vectors of zeros before it.
 *
 * @param chunk C, the tokens of a chunk
 * @param passes N, how often the blocks run over a chunk
 */
@JsonTypeName("staircase")
public record Staircase(@Unit("positions") int chunk, int passes) implements Recurrence {

  /** Requires positive numbers. */
  public Staircase {
    Checks.atLeast("chunk", chunk, 1);
    Checks.atLeast("passes", passes, 1);
  }

  @Override
  public String label() {
    return "staircase-%s-%s".formatted(chunk, passes);
  }

  @Override
  public Optional<String> warning(int length) {
    return passes == 1
        ? Optional.of("recurrence.passes is 1: no chunk reads an earlier one")
        : Recurrence.oneChunk(chunk, length);
  }

  @Override
  public int rowLength(int length) {
    return (int) Math.min(length, (long) passes * chunk);
  }

  /** {@inheritDoc} Each row is a copy of what it reads. */
  @Override
  public long extraVectors(int length) {
    return (long) passes * length;
  }

  @Override
  public boolean hasBoundedState(PositionalScheme position) {
    return true;
  }

  /** {@inheritDoc} M chunks need M + N - 1 rows. */
  @Override
  public long sequentialCalls(int layers, long length) {
    return ((length + chunk - 1) / chunk + passes - 1) * layers;
  }

  /**
   * {@inheritDoc} This goes through the rows backwards. In each row, the blocks move the first
   * position that counts to the left, at most to the start of the row. It ends at the row that
   * reads this position as a part of its new chunk.
   */
  @Override
  public long receptiveField(int layers, PositionalScheme position, long length) {
    long last = length - 1;
    long reach =
        IntStream.range(0, layers).mapToLong(k -> last - position.reach().firstKey(k, last)).sum();
    long chunks = (length + chunk - 1) / chunk;
    long first = length - 1;
    for (long row = chunks + passes - 2; row >= 0; row--) {
      first = Math.max(Math.max(0, row - passes + 1) * chunk, first - reach);
      if (row < chunks && first >= row * chunk) {
        break;
      }
    }
    return length - first;
  }
}
