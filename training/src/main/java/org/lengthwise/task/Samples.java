package org.lengthwise.task;

import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import org.lengthwise.automaton.Automaton;
import org.lengthwise.task.Task.Batch;

/**
 * Samples of one length in Java's heap, row after row, on their way to a device.
 *
 * @param count B
 * @param tokens the inputs, B x T
 * @param targets the targets, equally many for each sample; -1 for a position without a target
 */
public record Samples(int count, long[] tokens, long[] targets) {

  public static Samples labelled(List<int[]> strings, Automaton automaton) {
    return new Samples(
        strings.size(),
        strings.stream().flatMapToInt(Arrays::stream).asLongStream().toArray(),
        strings.stream().mapToLong(automaton::label).toArray());
  }

  /** {@return the number of tokens that the model reads, B x T} */
  public int numTokens() {
    return tokens.length;
  }

  public long numTargets() {
    return Arrays.stream(targets).filter(target -> target >= 0).count();
  }

  public Batch on(NDManager manager) {
    return new Batch(
        manager.create(tokens, new Shape(count, tokens.length / count)),
        manager.create(targets, new Shape(count, targets.length / count)));
  }
}
