package org.lengthwise.training.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lengthwise.recall.DrawnTask;
import org.lengthwise.recall.RecallTask;

/** The task of a run on strings: the section {@code task}. */
@JsonDeserialize(using = TaskConfig.Reader.class)
public sealed interface TaskConfig permits RegularConfig, RecallConfig {

  /** {@return the name in files and reports} */
  String name();

  int shortest();

  int longest();

  /** {@return the tokens T of a string at each training length} */
  IntStream trainedTokens();

  /** {@return the tokens T of a string at the longest training length} */
  int longestTokens();

  /** {@return whether a model may see the positions after the one that it labels} */
  boolean allowsLaterKeys();

  default Optional<RecallTask> recall() {
    return Optional.empty();
  }

  default Optional<RegularConfig> regular() {
    return this instanceof RegularConfig regular ? Optional.of(regular) : Optional.empty();
  }

  /** Reads a recall task by its name or its folder of strings, and everything else as regular. */
  final class Reader extends JsonDeserializer<TaskConfig> {
    @Override
    public TaskConfig deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      JsonNode section = context.readTree(parser);
      return section.has("strings") || DrawnTask.names().contains(section.path("name").asText())
          ? new RecallConfig(context.readTreeAsValue(section, RecallTask.class))
          : context.readTreeAsValue(section, RegularConfig.class);
    }
  }
}
