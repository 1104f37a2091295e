package org.lengthwise.training.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.lengthwise.recall.DrawnTask;
import org.lengthwise.recall.RecallTask;

/** Reads a recall task by its name or its folder of strings, and everything else as regular. */
final class TaskConfigReader extends JsonDeserializer<TaskConfig> {
  @Override
  public TaskConfig deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    JsonNode section = context.readTree(parser);
    return section.has("strings") || DrawnTask.names().contains(section.path("name").asText())
        ? new RecallConfig(context.readTreeAsValue(section, RecallTask.class))
        : context.readTreeAsValue(section, RegularConfig.class);
  }
}
