package org.lengthwise.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lengthwise.automaton.PaperTask;
import org.lengthwise.config.Checks;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.EnumName;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.recall.DrawnTask;
import org.lengthwise.recall.Form;
import org.lengthwise.recall.RecallString;
import org.lengthwise.recall.RecallTask;
import org.lengthwise.recall.Stream;
import org.lengthwise.training.config.TaskConfig;

record RecallLines(DrawnTask task, PrintWriter out) {
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();
  private static final List<String> ORIGIN = List.of("stream", "seed", "index", "length");

  static RecallLines of(String name, List<String> settings, PrintWriter out) {
    for (String setting : settings) {
      if (!setting.startsWith("task.")) {
        throw new ConfigException(
            "--set " + setting, "a key of the task, such as task.lengths", setting, "correct it");
      }
    }
    return new RecallLines(
        (DrawnTask)
            ConfigLoader.load(Installation.conf("task/" + name + ".yaml"), settings)
                .bind("task", TaskConfig.class)
                .recall()
                .orElseThrow(),
        out);
  }

  static void list(PrintWriter out) {
    for (String name : DrawnTask.names()) {
      Form form = of(name, List.of(), out).task.form();
      out.printf(Locale.ROOT, "%-20s%s; chance %.2f %%%n", name, form.about(), 100 * form.chance());
    }
    Arrays.stream(PaperTask.values())
        .forEach(
            one ->
                out.printf(
                    Locale.ROOT,
                    "%-20sa label of the whole string (Chi et al. 2023); chance %.2f %%%n",
                    one.label(),
                    100.0 / one.automaton().numLabels()));
  }

  private String lengths() {
    String first =
        IntStream.iterate(0, n -> n + 1)
            .filter(task.form().has())
            .limit(3)
            .mapToObj(String::valueOf)
            .collect(Collectors.joining(", "));
    return "a length of %s, such as %s".formatted(task.name(), first);
  }

  /** Prints the first strings of the stream of measurements. */
  void draw(int length, int count, long seed, boolean json) throws JsonProcessingException {
    Checks.require(task.form().has().test(length), "length", lengths(), length);
    RecallTask.Strings strings = task.open(new RandomStreams(seed));
    ObjectNode settings = task.settings();
    for (int index = 0; index < count; index++) {
      RecallString string = strings.at(Stream.TEST, length, index);
      if (json) {
        ObjectNode origin =
            MAPPER
                .createObjectNode()
                .put("stream", EnumName.of(Stream.TEST))
                .put("seed", seed)
                .put("index", index)
                .put("length", length);
        print(settings, origin, string);
      } else {
        out.println(text(string));
      }
    }
  }

  private static String text(RecallString string) {
    String answers =
        IntStream.range(0, string.ids().length)
            .filter(t -> string.targets()[t] != RecallString.NONE)
            .mapToObj(t -> t + ":" + string.targets()[t])
            .collect(Collectors.joining(" "));
    return Arrays.stream(string.ids())
        .mapToObj(String::valueOf)
        .collect(Collectors.joining(" ", "", "\t" + answers));
  }

  /** Reads lines with ids, and prints them with targets and distances computed anew. */
  void label(InputStream in) throws IOException {
    ObjectNode general = task.settings();
    visit(
        in,
        line -> {
          JsonNode read = MAPPER.readTree(line);
          int[] ids = MAPPER.treeToValue(read.path("ids"), int[].class);
          JsonNode own = read.path("settings");
          boolean hasOwn = own.isObject() && !own.equals(general);
          DrawnTask labels = hasOwn ? task.with(own) : task;
          if (ids == null || !read.path("task").asText(task.name()).equals(task.name())) {
            throw new InvalidValueException("ids", "ids of a string of " + task.name(), line);
          }
          print(hasOwn ? labels.settings() : general, read, labels.label(ids));
        });
  }

  interface Line {
    void label(String line) throws JsonProcessingException;
  }

  /** Labels lines with ids. An error names the line. */
  static void visit(InputStream in, Line action) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    int number = 1;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String where = "line " + number++;
      try {
        action.label(line);
      } catch (InvalidValueException e) {
        throw new DataFormatException(
            where + ", " + e.key(), e.expected(), e.found(), "correct the line", e);
      } catch (JsonProcessingException e) {
        throw new DataFormatException(
            where, "{\"ids\":[0,1]} with the ids of a string", line, "correct the line", e);
      }
    }
  }

  private void print(ObjectNode settings, JsonNode origin, RecallString string)
      throws JsonProcessingException {
    ObjectNode line = MAPPER.createObjectNode().put("task", task.name());
    line.set("settings", task.settings(settings, string));
    ORIGIN.stream().filter(origin::has).forEach(key -> line.set(key, origin.get(key)));
    ObjectNode answers = MAPPER.valueToTree(string);
    out.println(MAPPER.writeValueAsString(line.setAll(answers)));
  }
}
