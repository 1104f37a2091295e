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

  /** {@return the shortest training length, at least 1} */
  int shortest();

  /** {@return the longest training length} */
  int longest();

  /** {@return the tokens T of a string at each training length} */
  IntStream trainedTokens();

  /** {@return the tokens T of a string at the longest training length} */
  int longestTokens();

  /** {@return the recall task; empty for a regular task} */
  default Optional<RecallTask> recall() {
    return Optional.empty();
  }

  /** {@return the regular task; empty for a recall task} */
  default Optional<RegularConfig> regular() {
    return this instanceof RegularConfig regular ? Optional.of(regular) : Optional.empty();
  }
}
