package org.lengthwise.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.JsonFault;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.input.TextFile;

/**
 * A file of a results folder with one JSON object a line, UTF-8, keys in snake_case.
 *
 * @param <T> the type of a line
 */
public final class ResultFile<T> {
  /**
   * One line for each checkpoint, protocol and length.
   *
   * <p>Lines of older versions are read as lines of version 3. Version 1 lacks {@code
   * within_document} (false) and {@code scored_per_window} (1). Versions 1 and 2 lack {@code model}
   * (null). A line without {@code metric} holds a perplexity. A line without {@code bytes} does not
   * know the size of its targets' text, and a line without {@code tokenizer_sha256} knows only the
   * name of their tokenizer.
   */
  public static final ResultFile<EvaluationResult> EVALUATIONS =
      new ResultFile<>(
          "results.jsonl",
          EvaluationResult.class,
          ResultFile::upgradeEvaluation,
          "one evaluation result",
          "evaluate the checkpoint");

  /**
   * One line for each checkpoint and length. A line has at most about 60 KB at any length. {@code
   * model} is null in lines that lack the key.
   */
  public static final ResultFile<ReceptiveFieldResult> RECEPTIVE_FIELDS =
      new ResultFile<>(
          "receptive-fields.jsonl",
          ReceptiveFieldResult.class,
          line -> {
            if (!line.has("model")) {
              line.putNull("model");
            }
          },
          "one receptive field",
          "measure the receptive field");

  /** One line for each checkpoint, draw of strings and length. */
  public static final ResultFile<AccuracyResult> ACCURACIES =
      new ResultFile<>(
          "accuracy.jsonl",
          AccuracyResult.class,
          line -> {},
          "one accuracy",
          "evaluate the checkpoint");

  /**
   * One line for each checkpoint and set of weights. A line has about 40 bytes for each symbol of a
   * string.
   */
  public static final ResultFile<StatesResult> STATES =
      new ResultFile<>(
          "states.jsonl",
          StatesResult.class,
          line -> {},
          "the outputs of one model",
          "measure the states");

  /** One line for each model, length and depth of the zero-shot passkey. */
  public static final ResultFile<ProbeResult> PROBES =
      new ResultFile<>(
          "probe.jsonl", ProbeResult.class, line -> {}, "one probe", "evaluate the checkpoint");

  /** The files of all kinds. */
  static final List<ResultFile<?>> ALL =
      List.of(EVALUATIONS, RECEPTIVE_FIELDS, ACCURACIES, STATES, PROBES);

  private final String name;
  private final Class<T> type;
  private final Consumer<ObjectNode> upgrade;
  private final String content;
  private final String measure;

  private ResultFile(
      String name, Class<T> type, Consumer<ObjectNode> upgrade, String content, String measure) {
    this.name = name;
    this.type = type;
    this.upgrade = upgrade;
    this.content = content;
    this.measure = measure;
  }

  private static void upgradeEvaluation(ObjectNode line) {
    int version = line.path("format_version").asInt();
    if (version == 1 || version == 2) {
      line.put("format_version", EvaluationResult.FORMAT_VERSION);
      line.putNull("model");
    }
    if (version == 1) {
      line.put("within_document", false);
      line.put("scored_per_window", 1);
    }
    if (!line.has("metric")) {
      line.put("metric", "perplexity");
    }
  }

  /** {@return the file's name in its folder, such as {@code results.jsonl}} */
  public String name() {
    return name;
  }

  /** {@return whether a folder has the file, as a regular file} */
  public boolean isIn(Path folder) {
    return Files.isRegularFile(folder.resolve(name));
  }

  /**
   * Writes the file into a folder, atomically.
   *
   * @param results the lines, in order
   */
  public void write(Path folder, List<T> results) throws IOException {
    ObjectWriter writer =
        ConfigLoader.strictMapper().writer().without(SerializationFeature.INDENT_OUTPUT);
    AtomicFile.write(
        folder.resolve(name),
        out -> {
          for (T line : results) {
            out.write(writer.writeValueAsBytes(line));
            out.write('\n');
          }
        });
  }

  /** Adds a line to the file of a folder, atomically; the file need not exist. */
  public void append(Path folder, T result) throws IOException {
    write(folder, Stream.concat(values(folder).stream(), Stream.of(result)).toList());
  }

  /**
   * {@return every line of the file of a folder, in order; none if there is no file}
   *
   * @throws DataFormatException if a line has other content, naming the line
   */
  public List<T> values(Path folder) throws IOException {
    return read(folder).stream().map(Located::value).toList();
  }

  /**
   * {@return every line of the file of a folder with its place, in order; none if there is no file}
   *
   * @throws DataFormatException if a line has other content, naming the line
   */
  public List<Located<T>> read(Path folder) throws IOException {
    if (!isIn(folder)) {
      return List.of();
    }
    Path file = folder.resolve(name);
    ObjectMapper mapper = ConfigLoader.strictMapper();
    List<Located<T>> read = new ArrayList<>();
    int number = 0;
    for (String text : TextFile.read(file).lines().toList()) {
      number++;
      try {
        JsonNode line = mapper.readTree(text);
        if (line instanceof ObjectNode keys) {
          upgrade.accept(keys);
        }
        read.add(new Located<>(file, number, mapper.treeToValue(line, type)));
      } catch (JsonProcessingException e) {
        throw new DataFormatException(
            file + ":" + number,
            content + " as JSON",
            JsonFault.ofValue(e),
            measure + " again into a new folder",
            e);
      }
    }
    return List.copyOf(read);
  }
}
