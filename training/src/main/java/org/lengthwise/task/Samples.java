package org.lengthwise.task;

import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lengthwise.automaton.Automaton;
import org.lengthwise.positional.attention.LayerStates;
import org.lengthwise.task.Task.Batch;

/**
 * Samples of one length in Java's heap, row after row, on their way to a device.
 *
 * @param count B
 * @param tokens the inputs, B x T
 * @param targets the targets, equally many for each sample; -1 for a position without a target
 * @param documents the documents of the samples, if they are read apart; otherwise empty
 * @param streams which sample continues the sample of the step before; empty if none does
 */
public record Samples(
    int count,
    long[] tokens,
    long[] targets,
    List<Documents> documents,
    Optional<LayerStates.Streams> streams) {
  public Samples {
    documents = List.copyOf(documents);
  }

  /** Samples that are read as they are. */
  public Samples(int count, long[] tokens, long[] targets) {
    this(count, tokens, targets, List.of(), Optional.empty());
  }

  /** {@return the same samples with an id at the place of the first token of each} */
  Samples beginningWith(int id) {
    long[] other = tokens.clone();
    for (int first = 0; first < other.length; first += other.length / count) {
      other[first] = id;
    }
    return new Samples(count, other, targets);
  }

  /** {@return the same samples, whose documents are read apart} */
  Samples within(int endOfText, Optional<Integer> bos) {
    return new Samples(count, tokens, targets, Documents.of(this, endOfText, bos), streams);
  }

  /**
   * {@return the same samples as windows of streams}
   *
   * @param before the stream whose state a sample begins with, which is its own place, or -1
   */
  Samples continuing(int[] before) {
    int[] after = IntStream.range(0, count).toArray();
    return new Samples(
        count, tokens, targets, documents, Optional.of(new LayerStates.Streams(before, after)));
  }

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
    return documents.isEmpty()
        ? Arrays.stream(targets).filter(target -> target >= 0).count()
        : documents.stream().mapToLong(rows -> rows.targets().length).sum();
  }

  /** {@return the samples on a device, without states of streams} */
  public Batch on(NDManager manager) {
    return on(manager, Optional.empty(), 0);
  }

  /**
   * {@return the samples on a device}
   *
   * @param states the states of all streams of the device, if the samples carry them
   * @param first the stream of the first sample
   */
  public Batch on(NDManager manager, Optional<LayerStates> states, int first) {
    return new Batch(
        manager.create(tokens, new Shape(count, tokens.length / count)),
        manager.create(targets, new Shape(count, targets.length / count)),
        documents.stream().map(rows -> rows.on(manager, states, first)).toList(),
        states
            .filter(all -> documents.isEmpty())
            .flatMap(all -> streams.map(rows -> all.at(rows, first, manager))));
  }
}
