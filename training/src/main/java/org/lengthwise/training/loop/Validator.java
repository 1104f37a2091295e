package org.lengthwise.training.loop;

import ai.djl.ndarray.NDManager;
import java.util.List;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;
import org.lengthwise.task.Task.Score;
import org.lengthwise.training.replica.Replica;
import org.lengthwise.training.replica.ReplicaGroup;

/** Measures the task's metric on the same samples each time. Replicas share the samples. */
record Validator(Task task, int microBatch) {

  /**
   * The score of all validation samples, and of those of the last length, summed in double
   * precision.
   */
  record Scores(Score all, Score last) {}

  Scores score(ReplicaGroup replicas) {
    int numSamples = task.numValidationSamples();
    int share = (numSamples + replicas.size() - 1) / replicas.size();
    List<Scores> scores =
        replicas.onEach(
            (replica, index) ->
                score(replica, index * share, Math.min((index + 1) * share, numSamples)));
    return new Scores(
        scores.stream().map(Scores::all).reduce(Score.NONE, Score::plus),
        scores.stream().map(Scores::last).reduce(Score.NONE, Score::plus));
  }

  private Scores score(Replica replica, int from, int to) {
    Score all = Score.NONE;
    Score last = Score.NONE;
    int end;
    for (int first = from; first < to; first = end) {
      end = Math.min(Math.min(first + microBatch, to), task.validationEnd(first));
      try (NDManager pass = replica.manager().newSubManager()) {
        Samples samples = task.validation(first, end - first);
        Score score = task.score(replica.model(), samples.on(pass));
        all = all.plus(score);
        boolean isLast = task.validationEnd(first) == task.numValidationSamples();
        last = isLast ? last.plus(score) : last;
      }
    }
    return new Scores(all, last);
  }
}
