package org.lengthwise.training.loop;

import ai.djl.ndarray.NDManager;
import java.util.List;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;
import org.lengthwise.task.Task.Score;
import org.lengthwise.training.replica.Replica;
import org.lengthwise.training.replica.ReplicaGroup;

/**
 * Measures the task's metric on the same samples each time. Replicas share the samples.
 *
 * @param task the task
 * @param microBatch the samples that go through a replica's model at a time
 */
record Validator(Task task, int microBatch) {

  /** The score of all validation samples, summed in double precision. */
  Score score(ReplicaGroup replicas) {
    int numSamples = task.numValidationSamples();
    int share = (numSamples + replicas.size() - 1) / replicas.size();
    List<Score> scores =
        replicas.onEach(
            (replica, index) ->
                score(replica, index * share, Math.min((index + 1) * share, numSamples)));
    return new Score(
        scores.stream().mapToDouble(Score::sum).sum(),
        scores.stream().mapToLong(Score::count).sum());
  }

  private Score score(Replica replica, int from, int to) {
    double sum = 0;
    long count = 0;
    int end;
    for (int first = from; first < to; first = end) {
      end = Math.min(Math.min(first + microBatch, to), task.validationEnd(first));
      try (NDManager pass = replica.manager().newSubManager()) {
        Samples samples = task.validation(first, end - first);
        Score score = task.score(replica.model(), samples.on(pass));
        sum += score.sum();
        count += score.count();
      }
    }
    return new Score(sum, count);
  }
}
