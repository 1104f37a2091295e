package org.lengthwise.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.generate.AttentionMap;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.plot.Picture;
import org.lengthwise.plot.WeightMap;
import org.lengthwise.plot.WeightMap.Panel;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.rasp.SOp;
import org.lengthwise.recall.Rasp;
import org.lengthwise.result.ModelState;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.Bos;
import org.lengthwise.training.config.TaskConfig;

/**
 * The attention of a checkpoint's model over a text.
 *
 * @param tokenizer the tokenizer that the user names, if any
 */
record AttentionText(Checkpoint checkpoint, @Nullable String tokenizer) {
  /** A map has T x T cells, and there is one for each executed layer and head. */
  private static final int MOST_TOKENS = 512;

  private static final String OPTION = "--attention";

  /** A model's input, with a label for each token. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Input(int[] ids, List<String> labels) {}

  /**
   * One line of the output.
   *
   * @param selected the share of attention on the positions that the program selects; null if it
   *     selects none, or without a program
   */
  private record Line(int level, int layer, int head, @Nullable Double selected) {}

  void print(String text, @Nullable Path folder, boolean json, PrintWriter out) throws IOException {
    Optional<Rasp> rasp =
        task().flatMap(TaskConfig::recall).filter(Rasp.class::isInstance).map(Rasp.class::cast);
    Input input = rasp.map(task -> characters(task, text)).orElseGet(() -> input(text));
    List<SOp.Head> heads = rasp.map(task -> task.language().sOp().selected(text)).orElse(List.of());
    List<Line> lines = new ArrayList<>();
    for (AttentionMap map : maps(input.ids())) {
      Optional<SOp.Head> head =
          heads.stream()
              .filter(one -> one.layer() == map.block() && one.index() == map.head())
              .findFirst();
      Double share =
          head.map(one -> map.share(one.rows())).filter(found -> !found.isNaN()).orElse(null);
      lines.add(new Line(map.level() + 1, map.block() + 1, map.head() + 1, share));
      if (folder != null) {
        write(map, input.labels(), head, folder);
      }
    }
    if (json) {
      out.println(ConfigLoader.strictMapper().writeValueAsString(lines));
    } else {
      lines.forEach(line -> out.println(describe(line, lines)));
      if (folder != null) {
        out.println(folder);
      }
    }
  }

  private Optional<TaskConfig> task() {
    return checkpoint.origin().stringTask();
  }

  private static Input characters(Rasp task, String text) {
    try {
      return new Input(task.ids(text), text.codePoints().mapToObj(Character::toString).toList());
    } catch (InvalidValueException e) {
      throw new ConfigException(
          OPTION, e.expected() + " at " + e.key(), e.found(), "correct the text", e);
    }
  }

  private Input input(String text) {
    return task().isPresent() ? ids(text) : tokens(text);
  }

  private Input ids(String text) {
    int vocabulary = checkpoint.origin().model().vocabulary();
    List<String> words = Arrays.asList(text.trim().split("\\s+"));
    boolean isValid =
        words.stream()
            .allMatch(word -> word.matches("\\d{1,9}") && Integer.parseInt(word) < vocabulary);
    if (!isValid) {
      throw new ConfigException(
          OPTION,
          "ids from 0 to %s of the task %s, with blanks between them"
              .formatted(vocabulary - 1, task().orElseThrow().name()),
          text,
          "the command task prints such ids");
    }
    return new Input(words.stream().mapToInt(Integer::parseInt).toArray(), words);
  }

  private Input tokens(String text) {
    try (Tokenizer found = CheckpointOption.tokenizer(checkpoint, tokenizer)) {
      int[] ids = Bos.AUTO.before(found.encode(text), checkpoint.origin().bos());
      return new Input(
          ids, Arrays.stream(ids).mapToObj(id -> found.decode(new int[] {id})).toList());
    }
  }

  private List<AttentionMap> maps(int[] ids) throws IOException {
    String name = checkpoint.origin().name();
    long most = Math.min(MOST_TOKENS, checkpoint.origin().model().position().lengths().longest());
    if (ids.length < 1 || ids.length > most) {
      throw new ConfigException(
          OPTION, "1 to %s tokens".formatted(most), String.valueOf(ids.length), "use another text");
    }
    MeasuredModel model = new MeasuredModel(checkpoint, PositionChange.NONE);
    try (LoadedModel loaded = LoadedModel.of(model, ModelState.TRAINED, Precision.FLOAT32, "cpu")) {
      return AttentionMap.of(loaded.model(), loaded.manager(), ids)
          .orElseThrow(
              () ->
                  new ConfigException(
                      OPTION,
                      "a model with attention over all positions of its input",
                      name + ", a recurrent network, a Staircase or linear recurrences",
                      "use another checkpoint"));
    }
  }

  private static void write(
      AttentionMap map, List<String> labels, Optional<SOp.Head> head, Path folder)
      throws IOException {
    String place =
        "level %s, layer %s, head %s".formatted(map.level() + 1, map.block() + 1, map.head() + 1);
    List<String> positions = new ArrayList<>(Collections.nCopies(map.padding(), "·"));
    positions.addAll(labels);
    List<Panel> panels = new ArrayList<>();
    panels.add(new Panel(place, cells(map)));
    head.ifPresent(one -> panels.add(new Panel("the program", cells(one.rows()))));
    WeightMap figure =
        new WeightMap("attention-" + place.replaceAll("\\W+", "-"), positions, panels);
    new Picture(figure).write(folder);
    byte[] csv = figure.csv().getBytes(StandardCharsets.UTF_8);
    AtomicFile.write(folder.resolve(figure.name() + ".csv"), out -> out.write(csv));
  }

  /** The weights, empty where they are 0. Positions before the start are no queries. */
  private static List<List<Double>> cells(AttentionMap map) {
    List<List<Double>> rows = new ArrayList<>();
    int keys = map.weights()[0].length;
    for (int i = 0; i < map.padding(); i++) {
      rows.add(Collections.nCopies(keys, Double.NaN));
    }
    for (float[] row : map.weights()) {
      rows.add(
          IntStream.range(0, keys)
              .mapToObj(j -> row[j] == 0 ? Double.NaN : Double.valueOf(row[j]))
              .toList());
    }
    return rows;
  }

  private static List<List<Double>> cells(List<BitSet> rows) {
    return rows.stream()
        .map(
            row ->
                IntStream.range(0, rows.size())
                    .mapToObj(j -> row.get(j) ? 1.0 / row.cardinality() : Double.NaN)
                    .toList())
        .toList();
  }

  private static String describe(Line line, List<Line> all) {
    String level =
        all.stream().allMatch(other -> other.level() == 1) ? "" : "level " + line.level() + ", ";
    String share =
        line.selected() == null
            ? ""
            : String.format(Locale.ROOT, ": %.1f %% on selected positions", 100 * line.selected());
    return "%slayer %s, head %s%s".formatted(level, line.layer(), line.head(), share);
  }
}
