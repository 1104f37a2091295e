package org.lengthwise.measure.perplexity;

import java.util.ArrayList;
import java.util.List;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * A Kneser-Ney model that is measured together with checkpoints. It counts the first tokens of the
 * training split.
 *
 * @param run the name in results, such as {@code kneser-ney-5} or {@code kneser-ney-5-read}
 * @param order n
 * @param numTokens the number of counted tokens
 * @param trainLength T_tr of the checkpoints, so that reports show both together
 */
record Baseline(String run, int order, long numTokens, int trainLength) {
  static final String SCHEME = "kneser-ney";

  /**
   * The baselines of an evaluation. For each order one baseline counts the whole training split. If
   * the runs of the checkpoints have read fewer tokens, another baseline counts only this number of
   * tokens (one baseline for each different number).
   */
  static List<Baseline> ofAll(
      Evaluation evaluation, List<Checkpoint> checkpoints, ShardFolder shards) {
    long whole = shards.tokens(Split.TRAIN).numTokens();
    int length =
        checkpoints.stream()
            .mapToInt(checkpoint -> checkpoint.origin().length())
            .min()
            .orElse(evaluation.lengths().get(0));
    List<Long> read = numTokensRead(checkpoints).stream().filter(count -> count < whole).toList();
    List<Baseline> baselines = new ArrayList<>();
    for (int order : evaluation.baselineOrders()) {
      String run = SCHEME + "-" + order;
      baselines.add(new Baseline(run, order, whole, length));
      for (long count : read) {
        String name = run + "-read" + (read.size() > 1 ? "-" + count : "");
        baselines.add(new Baseline(name, order, count, length));
      }
    }
    return baselines;
  }

  /** The number of tokens that each run has read. It is unknown for imported models. */
  private static List<Long> numTokensRead(List<Checkpoint> checkpoints) {
    return checkpoints.stream()
        .map(checkpoint -> checkpoint.state().tokens())
        .filter(count -> count > 0)
        .distinct()
        .sorted()
        .toList();
  }

  EvaluatedCheckpoint described() {
    String counted = "the first %,d tokens of the training split".formatted(numTokens);
    return new EvaluatedCheckpoint(run, SCHEME, 0, counted, 0, trainLength, null);
  }
}
