package org.lengthwise.eval.bench;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;

/**
 * Random windows read from mapped shards on one thread, as training reads them, and the opening of
 * their folder.
 *
 * <p>The folder is written to a temporary place first, so its pages are in the system's cache: what
 * is timed is the reader, not the disk.
 *
 * @param numShards about how many shards the folder has
 * @param shardBytes the size that none of them exceeds
 * @param windowLengths the lengths of the windows, T + 1 each
 * @param tokensPerPass about how many tokens are read in each timed pass
 * @param repetitions how many passes are timed for each length
 */
public record ShardReadingBench(
    int numShards,
    int shardBytes,
    List<Integer> windowLengths,
    int tokensPerPass,
    int repetitions) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLISECOND = 1e6;
  private static final long SEED = 1;

  /** Checks the ranges, and takes a copy. */
  public ShardReadingBench {
    windowLengths = List.copyOf(windowLengths);
    if (numShards < 1 || shardBytes < 1 || tokensPerPass < 1 || repetitions < 1) {
      throw new IllegalArgumentException(
          "shards, bytes, tokens and repetitions must be positive, found %d, %d, %d, %d"
              .formatted(numShards, shardBytes, tokensPerPass, repetitions));
    }
  }

  /**
   * What was measured.
   *
   * @param shards the number of shards
   * @param tokens the number of tokens in them
   * @param openingMilliseconds how long the first opening of the folder took
   * @param windows a row for each length
   */
  public record Outcome(int shards, long tokens, double openingMilliseconds, List<Row> windows) {
    /** Takes a copy. */
    public Outcome {
      windows = List.copyOf(windows);
    }
  }

  /**
   * The reading of windows of one length.
   *
   * @param windowLength T + 1
   * @param tokensPerSecond the median over the passes
   * @param allocatedBytesPerWindow what reading a window leaves to the garbage collector, in the
   *     pass that leaves least: earlier ones may run code that is not compiled yet
   */
  public record Row(int windowLength, double tokensPerSecond, double allocatedBytesPerWindow) {}

  /**
   * Measures.
   *
   * @return medians over passes, after one pass to warm up
   * @throws IOException if the folder cannot be written or removed
   */
  public Outcome run() throws IOException {
    Path temporary = Files.createTempDirectory("lengthwise-bench-");
    try {
      Path folder = temporary.resolve("shards");
      new RandomShards(numShards, shardBytes, SEED).write(folder);
      try {
        return measure(folder);
      } finally {
        ArtifactFolder.delete(folder);
      }
    } finally {
      Files.delete(temporary);
    }
  }

  private Outcome measure(Path folder) {
    long start = System.nanoTime();
    try (ShardFolder shards = ShardFolder.open(folder.toString())) {
      double opening = (System.nanoTime() - start) / NANOS_PER_MILLISECOND;
      TokenStream tokens = shards.tokens(Split.TRAIN);
      List<Row> rows = new ArrayList<>();
      for (int length : windowLengths) {
        rows.add(row(tokens, length));
      }
      int numRead = shards.manifest().split(Split.TRAIN).shards().size();
      return new Outcome(numRead, tokens.numTokens(), opening, rows);
    }
  }

  private Row row(TokenStream tokens, int length) {
    int numWindows = Math.max(1, tokensPerPass / length);
    int[] window = new int[length];
    RandomGenerator random = new Random(SEED);
    read(tokens, window, numWindows, random);
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double[] perSecond = new double[repetitions];
    long leastAllocated = Long.MAX_VALUE;
    for (int i = 0; i < repetitions; i++) {
      long allocated = thread.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      read(tokens, window, numWindows, random);
      double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
      perSecond[i] = (double) numWindows * length / seconds;
      allocated = thread.getCurrentThreadAllocatedBytes() - allocated;
      leastAllocated = Math.min(leastAllocated, allocated);
    }
    Arrays.sort(perSecond);
    return new Row(length, perSecond[repetitions / 2], (double) leastAllocated / numWindows);
  }

  private static void read(
      TokenStream tokens, int[] window, int numWindows, RandomGenerator random) {
    long bound = tokens.numTokens() - window.length + 1;
    for (int i = 0; i < numWindows; i++) {
      tokens.read(random.nextLong(bound), window, 0, window.length);
    }
  }
}
