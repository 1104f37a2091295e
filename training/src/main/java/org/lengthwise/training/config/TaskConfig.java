package org.lengthwise.training.config;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lengthwise.recall.RecallTask;

/** The task of a run on strings: the section {@code task}. */
@JsonDeserialize(using = TaskConfigReader.class)
public sealed interface TaskConfig permits RegularConfig, RecallConfig {

  /** {@return the name in files and reports} */
  String name();

  int shortest();

  int longest();

  /** {@return the tokens T of a string at each training length} */
  IntStream trainedTokens();

  /** {@return the tokens T of a string at the longest training length} */
  int longestTokens();

  default Optional<RecallTask> recall() {
    return Optional.empty();
  }

  default Optional<RegularConfig> regular() {
    return this instanceof RegularConfig regular ? Optional.of(regular) : Optional.empty();
  }
}
