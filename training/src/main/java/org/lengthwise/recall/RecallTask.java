package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.random.RandomStreams;

/** A recall task with its settings, which are the keys of the section {@code task}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "name", defaultImpl = FileTask.class)
public sealed interface RecallTask permits DrawnTask, FileTask {

  /** {@return the name in files and reports} */
  String name();

  /** {@return the training lengths; each group of a step draws one of them} */
  IntStream trainingLengths();

  /**
   * {@return T, the tokens of a string of a length as the task counts it, such as the letters of a
   * copied string}
   */
  int numTokens(int length);

  /**
   * {@return the strings, ready to be read}
   *
   * @throws org.lengthwise.error.DataFormatException if a file of strings is damaged
   */
  Strings open(RandomStreams streams);

  /** {@return the rules without a long memory that a model is compared with} */
  default List<Baseline> baselines() {
    return List.of();
  }

  /** {@return how many strings of a batch have one length: all, or a divisor of the batch} */
  default int group(int batch) {
    return batch;
  }

  /** {@return the number of training strings of an epoch, or empty if strings never repeat} */
  default OptionalLong samplesPerEpoch() {
    return OptionalLong.empty();
  }

  /** {@return the settings without the name and the training lengths, by key} */
  default ObjectNode settings() {
    ObjectNode settings = ConfigLoader.strictMapper().valueToTree(this);
    settings.remove(List.of("name", "lengths", "strings"));
    settings.properties().removeIf(setting -> setting.getValue().isNull());
    return settings;
  }

  /** {@return the task with other settings} */
  default RecallTask with(JsonNode others) {
    return this;
  }

  interface Strings {

    RecallString at(Stream stream, int length, long index);

    /** {@return the number of different indices, if it is smaller than a requested number} */
    int count(Stream stream, int length, int requested);

    /** {@return V} */
    int vocabulary();

    /** {@return the share of right tokens of a guess among all possible answers} */
    double chance();

    /** {@return the SHA-256 of all that decides the strings besides the seed, in hexadecimal} */
    String sha256();
  }
}
