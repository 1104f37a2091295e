package org.lengthwise.measure.answers;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * The answers of language models to questions of several lengths.
 *
 * @param data the shard folder whose test split has the questions
 * @param lengths each length of a question
 * @param config the questions and their settings
 */
@JsonTypeName("answers")
public record AnswersOfRuns(
    String data, @Unit("tokens") Lengths lengths, @JsonUnwrapped AnswersConfig config)
    implements MeasurementConfig.OfRun {

  @Override
  public String folder() {
    return "answers";
  }

  @Override
  public MeasurementSettings settings() {
    return config.settings();
  }

  @Override
  public void requireFeasible(ShardSource shards) {
    try (ShardSource questions = new ShardSource(data)) {
      questions.folder();
    }
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    Feasibility.requireText(run, "answers");
    try (ShardSource questions = new ShardSource(data)) {
      Feasibility.requireSameTokenizer(run, questions);
    }
    int longest = Collections.max(lengths.forTraining(run.length()));
    Feasibility.requireReads(run.name(), run.position(), "lengths up to " + longest, 2L * longest);
  }

  @Override
  public List<Pass> passes(ExperimentRun run) {
    return lengths.forTraining(run.length()).stream()
        .map(length -> new Pass(2 * length, config.samples(), false))
        .toList();
  }

  @Override
  public void measure(
      Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    try (ShardSource questions = new ShardSource(data)) {
      AnswersMeasurement.run(
          config, lengths, List.of(checkpoint), questions.folder(), output, stopRequested);
    }
  }
}
