package org.lengthwise.measure.perplexity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.lengthwise.config.Checks;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.result.EvaluatedCheckpoint;

/**
 * A Kneser-Ney model that counts the first tokens of the training split.
 *
 * @param run the name in results, such as {@code kneser-ney-5} or {@code kneser-ney-5-read}
 * @param order n
 * @param trainLength T_tr of the models on the same targets, so that reports show both together
 */
public record Baseline(String run, int order, long numTokens, int trainLength) {
  public static final int LARGEST_ORDER = 9;

  public Baseline {
    requireOrder(order);
    if (numTokens > Integer.MAX_VALUE) {
      throw new ConfigException(
          run,
          "a training split of at most %s tokens".formatted(Count.of(Integer.MAX_VALUE)),
          Count.of(numTokens, "token"),
          "remove the baseline, or prepare a smaller training split for it");
    }
  }

  public static void requireOrder(int order) {
    Checks.require(
        order >= 1 && order <= LARGEST_ORDER, "order", "from 1 to " + LARGEST_ORDER, order);
  }

  /**
   * {@return the baselines of some orders, by order and then by number of tokens, the whole split
   * first} For each order one baseline counts the whole training split, and one baseline counts
   * each smaller number of tokens that models have read.
   */
  public static List<Baseline> ofAll(
      Collection<Integer> orders, ShardFolder shards, Collection<Long> read, int trainLength) {
    if (orders.isEmpty()) {
      return List.of();
    }
    long whole = shards.tokens(Split.TRAIN).numTokens();
    List<Long> parts = read.stream().filter(count -> count < whole).distinct().sorted().toList();
    boolean isOne = read.stream().distinct().count() == 1;
    List<Baseline> baselines = new ArrayList<>();
    for (int order : orders.stream().distinct().sorted().toList()) {
      String run = EvaluatedCheckpoint.BASELINE + "-" + order;
      baselines.add(new Baseline(run, order, whole, trainLength));
      for (long count : parts) {
        String name = run + "-read" + (isOne ? "" : "-" + count);
        baselines.add(new Baseline(name, order, count, trainLength));
      }
    }
    return baselines;
  }

  EvaluatedCheckpoint described() {
    String counted = "the first %s tokens of the training split".formatted(Count.of(numTokens));
    return new EvaluatedCheckpoint(
        run, EvaluatedCheckpoint.BASELINE, 0, counted, 0, trainLength, null);
  }
}
