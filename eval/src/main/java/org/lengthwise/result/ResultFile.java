package org.lengthwise.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.JsonFault;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.input.TextFile;

/** A file of a results folder with one JSON object a line, UTF-8, keys in snake_case. */
public final class ResultFile<T> {
  /** One line for each checkpoint, protocol and length. */
  public static final ResultFile<EvaluationResult> EVALUATIONS =
      new ResultFile<>(
          "results.jsonl",
          EvaluationResult.class,
          "one evaluation result",
          "evaluate the checkpoint");

  /** One line for each checkpoint and length. A line has at most about 60 KB at any length. */
  public static final ResultFile<ReceptiveFieldResult> RECEPTIVE_FIELDS =
      new ResultFile<>(
          "receptive-fields.jsonl",
          ReceptiveFieldResult.class,
          "one receptive field",
          "measure the receptive field");

  /** One line for each checkpoint, setting of the strings and length. */
  public static final ResultFile<AccuracyResult> ACCURACIES =
      new ResultFile<>(
          "accuracy.jsonl", AccuracyResult.class, "one accuracy", "evaluate the checkpoint");

  /**
   * One line for each checkpoint and set of weights. A line has about 40 bytes for each symbol of a
   * string.
   */
  public static final ResultFile<StatesResult> STATES =
      new ResultFile<>(
          "states.jsonl", StatesResult.class, "the outputs of one model", "measure the states");

  /** One line for each trial of a random search. */
  public static final ResultFile<TrialResult> TRIALS =
      new ResultFile<>("trials.jsonl", TrialResult.class, "one trial", "run the trial");

  /** The files of all kinds. */
  static final List<ResultFile<?>> ALL =
      List.of(EVALUATIONS, RECEPTIVE_FIELDS, ACCURACIES, STATES, TRIALS);

  private final String name;
  private final Class<T> type;
  private final String content;
  private final String measure;

  private ResultFile(String name, Class<T> type, String content, String measure) {
    this.name = name;
    this.type = type;
    this.content = content;
    this.measure = measure;
  }

  /** {@return the file's name in its folder, such as {@code results.jsonl}} */
  public String name() {
    return name;
  }

  public boolean isIn(Path folder) {
    return Files.isRegularFile(folder.resolve(name));
  }

  /** Writes the file into a folder, atomically. */
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
        read.add(new Located<>(file, number, mapper.readValue(text, type)));
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
