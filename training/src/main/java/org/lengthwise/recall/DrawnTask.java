package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.random.RandomStreams;

/** A task whose strings are drawn, and whose answers a rule computes from the ids. */
public sealed interface DrawnTask extends RecallTask
    permits Mqar, Copy, Reverse, SelectiveCopy, Induction, Passkey, FlipFlop, Scratchpad, Rasp {

  /** {@return the names of all tasks, in the order of {@code task --list}} */
  static List<String> names() {
    return Arrays.stream(DrawnTask.class.getPermittedSubclasses()).map(DrawnTask::name).toList();
  }

  private static String name(Class<?> type) {
    return type.getAnnotation(JsonTypeName.class).value();
  }

  @Override
  default String name() {
    return name(getClass());
  }

  /** {@return what is known of the task without drawing a string} */
  Form form();

  List<Integer> lengths();

  /** {@return the ids of a string} A measurement fixes what training varies. */
  int[] draw(int length, Stream stream, Random random);

  /**
   * {@return ids with their answers}
   *
   * @throws InvalidValueException for any other string, with the place in the ids as its key
   */
  RecallString label(int[] ids);

  /** {@return the settings of a single string, such as its number of pairs} */
  default ObjectNode settings(ObjectNode general, RecallString string) {
    return general;
  }

  @Override
  default IntStream trainingLengths() {
    return IntStream.rangeClosed(lengths().get(0), lengths().get(1)).filter(form().has());
  }

  @Override
  default int numTokens(int length) {
    return form().tokens().applyAsInt(length);
  }

  @Override
  default List<Baseline> baselines() {
    return form().baselines();
  }

  @Override
  default DrawnTask with(JsonNode others) {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    ObjectNode changed = mapper.valueToTree(this);
    if (!others.isEmpty()) {
      // Strings of the shortest training length need not exist with other settings.
      changed.putArray("lengths").add(lengths().get(1)).add(lengths().get(1));
    }
    others.properties().forEach(other -> changed.set(other.getKey(), other.getValue()));
    try {
      return (DrawnTask) mapper.treeToValue(changed, RecallTask.class);
    } catch (JsonMappingException e) {
      throw e.getCause() instanceof InvalidValueException invalid
          ? invalid
          : new InvalidValueException(
              "settings", "settings of " + name(), others + ": " + e.getOriginalMessage());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory is well-formed", e);
    }
  }

  @Override
  default Strings open(RandomStreams streams) {
    return new Strings() {
      @Override
      public RecallString at(Stream stream, int length, long index) {
        String name = "recall/" + stream + "/" + length + "/" + index;
        return label(draw(length, stream, streams.stream(name)));
      }

      @Override
      public int count(Stream stream, int length, int requested) {
        return requested;
      }

      @Override
      public int vocabulary() {
        return form().vocabulary();
      }

      @Override
      public double chance() {
        return form().chance();
      }

      @Override
      public String sha256() {
        String task = name() + settings();
        return Sha256.of(task.getBytes(StandardCharsets.UTF_8));
      }
    };
  }
}
