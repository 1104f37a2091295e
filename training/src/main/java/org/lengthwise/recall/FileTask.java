package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.input.TextFile;
import org.lengthwise.random.RandomStreams;

/**
 * A task whose strings another program wrote: {@code train.jsonl}, {@code validation.jsonl} and
 * {@code test.jsonl} with a line {@code {"ids":[..],"targets":[..],"distance":[..]}} each.
 *
 * @param strings the folder of the three files, relative to the working directory
 * @param lengths the lengths T of the training strings; all of train.jsonl unless given
 */
@JsonTypeName("strings")
public record FileTask(String strings, @AbsentMeans("null") @Nullable List<Integer> lengths)
    implements RecallTask {
  private static final Set<String> KEYS = Set.of("ids", "targets", "distance");

  /**
   * A larger one is a mistake: the embedding would have more rows than any tokenizer has tokens.
   */
  private static final int LARGEST_ID = 999_999;

  /** Reads the lengths of the training strings, unless a checkpoint knows them. */
  public FileTask {
    Checks.name("strings", name(strings));
    lengths =
        (lengths == null ? read(strings, Stream.TRAIN).byLength.keySet() : lengths)
            .stream().distinct().sorted().toList();
    Checks.require(!lengths.isEmpty(), "lengths", "one at least", "none");
  }

  private static String name(String folder) {
    return String.valueOf(Path.of(folder).toAbsolutePath().normalize().getFileName());
  }

  @Override
  public String name() {
    return name(strings);
  }

  @Override
  public IntStream trainingLengths() {
    return lengths == null ? IntStream.empty() : lengths.stream().mapToInt(Integer::intValue);
  }

  /** Strings of files have no settings. */
  @Override
  public RecallTask with(JsonNode others) {
    Iterator<String> keys = others.fieldNames();
    if (keys.hasNext()) {
      throw new InvalidValueException(
          keys.next(), "no settings, since the strings of " + name() + " are in files", "a value");
    }
    return this;
  }

  @Override
  public int numTokens(int length) {
    return length;
  }

  @Override
  public Strings open(RandomStreams streams) {
    Map<Stream, Lines> files = new EnumMap<>(Stream.class);
    Lines train = read(strings, Stream.TRAIN);
    Lines validation = read(strings, Stream.VALIDATION);
    trainingLengths().forEach(length -> requireLength(train, length, Stream.TRAIN, "trains on it"));
    requireLength(
        validation,
        trainingLengths().max().orElseThrow(),
        Stream.VALIDATION,
        "has learned the task if it is right at the longest length of the training");
    files.put(Stream.TRAIN, train);
    files.put(Stream.VALIDATION, validation);
    files.put(Stream.LEARNED, validation);
    files.put(Stream.TEST, read(strings, Stream.TEST));
    return new Opened(files, streams);
  }

  private record Lines(Map<Integer, List<RecallString>> byLength, String sha256) {
    IntStream answers() {
      return byLength.values().stream()
          .flatMap(List::stream)
          .flatMapToInt(string -> Arrays.stream(string.targets()))
          .filter(id -> id != RecallString.NONE);
    }

    int largestId() {
      IntStream ids =
          byLength.values().stream()
              .flatMap(List::stream)
              .flatMapToInt(string -> Arrays.stream(string.ids()));
      return IntStream.concat(ids, answers()).max().orElse(0);
    }
  }

  private void requireLength(Lines lines, int length, Stream stream, String why) {
    if (!lines.byLength.containsKey(length)) {
      throw new DataFormatException(
          file(strings, stream).toString(),
          "strings of length %s: a model %s".formatted(length, why),
          "lengths " + lines.byLength.keySet(),
          "add such strings");
    }
  }

  private static Path file(String folder, Stream stream) {
    return Path.of(folder).resolve(stream.name().toLowerCase(Locale.ROOT) + ".jsonl");
  }

  private static Lines read(String folder, Stream stream) {
    Path file = file(folder, stream);
    if (!Files.isRegularFile(file)) {
      throw new ConfigException(
          "task.strings",
          "a folder with train.jsonl, validation.jsonl and test.jsonl",
          "no file " + file.toAbsolutePath(),
          "write the file, or correct the folder");
    }
    Map<Integer, List<RecallString>> byLength = new TreeMap<>();
    int number = 1;
    try {
      for (String line : TextFile.read(file).lines().toList()) {
        RecallString string = parse(line, file + ":" + number++);
        byLength.computeIfAbsent(string.ids().length, any -> new ArrayList<>()).add(string);
      }
      if (byLength.isEmpty()) {
        throw new DataFormatException(
            file.toString(), "a string in each line", "an empty file", "write the strings");
      }
      return new Lines(byLength, Sha256.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RecallString parse(String line, String where) {
    try {
      JsonNode keys = ConfigLoader.strictMapper().readTree(line);
      for (String key : (Iterable<String>) keys::fieldNames) {
        Checks.require(KEYS.contains(key), key, "the keys ids, targets and distance only", key);
      }
      RecallString string =
          new RecallString(
              numbers(keys, "ids"), numbers(keys, "targets"), numbers(keys, "distance"));
      requireAnswers(string);
      return string;
    } catch (InvalidValueException e) {
      throw damaged(where + ", " + e.key(), e.expected(), e.found(), e);
    } catch (JsonProcessingException e) {
      throw damaged(where, "one string as JSON", "no JSON, or more than one value", e);
    }
  }

  private static int[] numbers(JsonNode keys, String key) {
    JsonNode list = keys.path(key);
    Checks.require(list.isArray(), key, "a list", list.isMissingNode() ? "no such key" : list);
    int[] numbers = new int[list.size()];
    for (int i = 0; i < numbers.length; i++) {
      JsonNode number = list.get(i);
      Checks.require(number.isInt(), key + "[" + i + "]", "a whole number", number);
      numbers[i] = number.intValue();
    }
    return numbers;
  }

  private static DataFormatException damaged(
      String where, String expected, String found, Exception cause) {
    return new DataFormatException(where, expected, found, "correct the line", cause);
  }

  private static void requireAnswers(RecallString string) {
    for (int t = 0; t < string.ids().length; t++) {
      int id = string.ids()[t];
      int target = string.targets()[t];
      int distance = string.distance()[t];
      Checks.require(0 <= id && id <= LARGEST_ID, "ids[" + t + "]", "0 to " + LARGEST_ID, id);
      Checks.require(
          RecallString.NONE <= target && target <= LARGEST_ID,
          "targets[" + t + "]",
          "0 to " + LARGEST_ID + ", or -1 without a target",
          target);
      Checks.require(
          string.asks(t) ? 0 <= distance && distance <= t : distance == RecallString.NONE,
          "distance[" + t + "]",
          string.asks(t)
              ? "0 to %s, because there is a target".formatted(t)
              : "-1, because there is no target",
          distance);
    }
    Checks.require(
        Arrays.stream(string.targets()).anyMatch(id -> id >= 0), "targets", "one at least", "none");
  }

  private record Opened(Map<Stream, Lines> files, RandomStreams streams) implements Strings {
    private List<RecallString> of(Stream stream, int length) {
      return Objects.requireNonNull(files.get(stream)).byLength.getOrDefault(length, List.of());
    }

    /** A training string is drawn with replacement; others come in the order of their file. */
    @Override
    public RecallString at(Stream stream, int length, long index) {
      List<RecallString> all = of(stream, length);
      String name = "recall/" + stream + "/" + length + "/" + index;
      return all.get(
          stream == Stream.TRAIN ? streams.stream(name).nextInt(all.size()) : (int) index);
    }

    @Override
    public int count(Stream stream, int length, int requested) {
      return Math.min(requested, of(stream, length).size());
    }

    @Override
    public int vocabulary() {
      return 1 + files.values().stream().mapToInt(Lines::largestId).max().orElse(0);
    }

    @Override
    public double chance() {
      return 1.0 / files.values().stream().flatMapToInt(Lines::answers).distinct().count();
    }

    @Override
    public String sha256() {
      MessageDigest digest = Sha256.newDigest();
      files.values().forEach(f -> digest.update(f.sha256().getBytes(StandardCharsets.UTF_8)));
      return Sha256.hex(digest);
    }
  }
}
