package org.lengthwise.training.config;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.recall.Passkey;
import org.lengthwise.recall.Rasp;
import org.lengthwise.recall.RecallTask;

/** The recall task of a run, whose keys are those of the task. */
@JsonDeserialize(using = JsonDeserializer.None.class)
public record RecallConfig(@JsonValue RecallTask task) implements TaskConfig {
  public RecallConfig {
    if (task instanceof Passkey passkey && passkey.depth() != null) {
      throw new InvalidValueException(
          "depth",
          "no depth, because training has every depth; vary: {depth: [...]} of a measurement sets it",
          String.valueOf(passkey.depth()));
    }
  }

  @Override
  public String name() {
    return task.name();
  }

  @Override
  public int shortest() {
    return task.trainingLengths().min().orElseThrow();
  }

  @Override
  public int longest() {
    return task.trainingLengths().max().orElseThrow();
  }

  @Override
  public IntStream trainedTokens() {
    return task.trainingLengths().map(task::numTokens);
  }

  @Override
  public int longestTokens() {
    return task.numTokens(longest());
  }

  @Override
  public boolean allowsLaterKeys() {
    return task instanceof Rasp;
  }

  @Override
  public Optional<RecallTask> recall() {
    return Optional.of(task);
  }
}
