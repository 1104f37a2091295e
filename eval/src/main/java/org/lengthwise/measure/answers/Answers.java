package org.lengthwise.measure.answers;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * The answers of language models to questions of several lengths, which are documents of a test
 * split.
 *
 * @param data the shard folder of the questions; absent for the data of the experiment
 * @param samples the number of documents for each length of x
 * @param separator the token between x and y
 * @param trainedLength the longest x of the training; reports show longer ones apart
 * @param lengths each length of x, the question
 */
@JsonTypeName("answers")
public record Answers(
    @AbsentMeans("null") @JsonProperty(value = "data", access = JsonProperty.Access.WRITE_ONLY)
        @Nullable String data,
    @Unit("documents") int samples,
    @Unit("token id") int separator,
    @Unit("tokens") int trainedLength,
    @JsonUnwrapped MeasurementSettings settings,
    @Unit("tokens") Lengths lengths)
    implements MeasurementConfig.OfRun {

  public Answers {
    Checks.atLeast("samples", samples, 1);
    Checks.atLeast("separator", separator, 0);
    Checks.atLeast("trained_length", trainedLength, 1);
  }

  @Override
  public String folder() {
    return "answers";
  }

  @Override
  public void requireFeasible(ShardSource shards) {
    onQuestions(shards, ShardSource::folder);
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    Feasibility.requireText(run, "answers");
    onQuestions(shards, questions -> Feasibility.requireSameTokenizer(run, questions));
    int longest = Collections.max(lengths.forTraining(run.length()));
    Feasibility.requireReads(
        run.name(), run.position(), "lengths up to " + longest, 2L * longest + 2);
  }

  private void onQuestions(ShardSource shards, Consumer<ShardSource> check) {
    if (data == null) {
      check.accept(shards);
      return;
    }
    try (ShardSource questions = new ShardSource(data)) {
      check.accept(questions);
    }
  }

  @Override
  public List<Pass> passes(ExperimentRun run) {
    return lengths.forTraining(run.length()).stream()
        .map(length -> new Pass(2 * length + 2, samples, false))
        .toList();
  }

  @Override
  public CheckpointMeasurement<?> of(List<Checkpoint> checkpoints, ShardSource shards) {
    return new AnswersMeasurement(this, checkpoints, data == null ? shards : new ShardSource(data));
  }
}
