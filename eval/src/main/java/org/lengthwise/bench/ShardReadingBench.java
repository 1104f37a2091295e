package org.lengthwise.bench;

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
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;

/**
 * Reads random windows from mapped shards on one thread, as training does. Also times the opening
 * of the shard folder.
 *
 * <p>The shards are written to a temporary folder first. Their pages are then in the system's
 * cache, so the disk does not affect the times.
 *
 * @param numShards the approximate number of shards
 * @param shardBytes the largest size of a shard
 * @param windowLengths the lengths of the windows, T + 1 each
 * @param tokensPerPass the approximate number of tokens of a timed pass
 * @param repetitions the number of timed passes for each length
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

  /** Requires positive numbers and copies the list. */
  public ShardReadingBench {
    windowLengths = List.copyOf(windowLengths);
    if (numShards < 1 || shardBytes < 1 || tokensPerPass < 1 || repetitions < 1) {
      throw new IllegalArgumentException(
          "shards, bytes, tokens and repetitions must be positive, found %s, %s, %s, %s"
              .formatted(numShards, shardBytes, tokensPerPass, repetitions));
    }
  }

  /**
   * The results.
   *
   * @param tokens the number of tokens in them
   * @param openingMilliseconds the time to open the folder
   * @param windows a row for each length
   */
  public record Result(int shards, long tokens, double openingMilliseconds, List<Row> windows) {
    /** Copies the list. */
    public Result {
      windows = List.copyOf(windows);
    }
  }

  /**
   * The reading of windows of one length.
   *
   * @param windowLength T + 1
   * @param tokensPerSecond the median over the passes
   * @param allocatedBytesPerWindow the heap bytes that reading a window allocates, in the pass that
   *     allocates least: earlier passes may run code that is not compiled yet
   */
  public record Row(int windowLength, double tokensPerSecond, double allocatedBytesPerWindow) {}

  /**
   * Writes the shards and reads them.
   *
   * @return medians over passes, after one pass as a warm-up
   * @throws IOException if the folder cannot be written or deleted
   */
  public Result run() throws IOException {
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

  private Result measure(Path folder) {
    long start = System.nanoTime();
    try (ShardFolder shards = ShardFolder.open(folder.toString())) {
      double opening = (System.nanoTime() - start) / NANOS_PER_MILLISECOND;
      TokenStream tokens = shards.tokens(Split.TRAIN);
      List<Row> rows = new ArrayList<>();
      for (int length : windowLengths) {
        rows.add(row(tokens, length));
      }
      int numRead = shards.manifest().split(Split.TRAIN).shards().size();
      return new Result(numRead, tokens.numTokens(), opening, rows);
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
