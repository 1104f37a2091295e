package org.lengthwise.measure.receptivefield;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.lengthwise.automaton.RegularTask;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.task.Samples;
import org.lengthwise.task.StringClassification;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.Bos;
import org.lengthwise.training.config.RegularConfig;

/** Where the samples of receptive fields come from: a text, or the task of a classifier. */
sealed interface SampleSource {

  /** The checksum of the data, or of the automaton of a task. */
  String sha256();

  /** The id of BOS, which is read at the place of the first token; empty if there is none. */
  default Optional<Integer> bos() {
    return Optional.empty();
  }

  /**
   * Checks that there are samples of all lengths.
   *
   * @throws DataFormatException if the test split is shorter than a sample and its target
   * @throws ConfigException if a task has no strings of a length
   */
  void requireFeasible(List<Integer> lengths);

  /** Draws samples that depend on the source, the length, their number and the seed only. */
  Draw draw(int length, int count, long seed);

  /**
   * Samples of one length.
   *
   * @param targets for each sample the offset of its target in the split, or the index of a string
   * @param samples reads the samples of some targets, with one target each
   */
  record Draw(long[] targets, Reader samples) {}

  interface Reader {
    Samples read(int first, int end);
  }

  /** The windows of a language model, or the strings of a classifier's task. */
  static SampleSource of(Checkpoint checkpoint, ShardSource shards, Bos bos) {
    return checkpoint.origin().model().isClassifier()
        ? new Strings(checkpoint.stringTask())
        : new TestSplit(shards.folder(), bos.of(checkpoint.origin().bos()));
  }

  /** Windows of the test split, each with the token after it as its target. */
  record TestSplit(ShardFolder shards, Optional<Integer> bos) implements SampleSource {
    @Override
    public String sha256() {
      return DataIdentity.of(shards.manifest()).sha256();
    }

    @Override
    public void requireFeasible(List<Integer> lengths) {
      long numTokens = shards.tokens(Split.TEST).numTokens();
      int longest = lengths.get(lengths.size() - 1);
      if (numTokens <= longest) {
        throw new DataFormatException(
            "test split",
            "at least " + (longest + 1L) + " tokens",
            numTokens + " tokens",
            "prepare more text, raise split.test, or request a shorter length");
      }
    }

    @Override
    public Draw draw(int length, int count, long seed) {
      TokenStream test = shards.tokens(Split.TEST);
      long[] targets =
          new RandomStreams(seed)
              .stream("receptive-field/" + length).longs(count, length, test.numTokens()).toArray();
      return new Draw(targets, (first, end) -> windows(test, targets, first, end, length, bos));
    }

    static Samples windows(
        TokenStream stream, long[] targets, int first, int end, int length, Optional<Integer> bos) {
      long[] tokens = new long[(end - first) * length];
      long[] targetTokens = new long[end - first];
      int[] window = new int[length + 1];
      for (int b = 0; b < end - first; b++) {
        stream.read(targets[first + b] - length, window, 0, window.length);
        for (int t = 0; t < length; t++) {
          tokens[b * length + t] = window[t];
        }
        tokens[b * length] = bos.orElse(window[0]);
        targetTokens[b] = window[length];
      }
      return new Samples(end - first, tokens, targetTokens);
    }
  }

  /** Strings as in training, each with its label as its target. */
  record Strings(RegularConfig config) implements SampleSource {
    @Override
    public String sha256() {
      return StringClassification.identity(config.task()).sha256();
    }

    @Override
    public void requireFeasible(List<Integer> lengths) {
      for (int length : lengths) {
        int found = strings(length, 1, 0).get(0).length;
        if (found != length) {
          throw new ConfigException(
              "length " + length,
              "a length of the strings of " + config.name(),
              "strings of %s symbols".formatted(found),
              "request another length, such as " + found);
        }
      }
    }

    @Override
    public Draw draw(int length, int count, long seed) {
      List<int[]> strings = strings(length, count, seed);
      return new Draw(
          LongStream.range(0, count).toArray(),
          (first, end) -> Samples.labelled(strings.subList(first, end), config.task().automaton()));
    }

    private List<int[]> strings(int length, int count, long seed) {
      RegularTask task = config.task();
      return StringClassification.strings(
          task, length, count, new RandomStreams(seed), "receptive-field/%s/".formatted(length));
    }
  }
}
