package org.lengthwise.measure.recall;

import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.measure.BatchPlan;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.measure.MeasurementFolder;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.recall.DrawnTask;
import org.lengthwise.recall.FileTask;
import org.lengthwise.recall.RecallString;
import org.lengthwise.recall.RecallTask;
import org.lengthwise.recall.RecallTask.Strings;
import org.lengthwise.recall.Stream;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ResultFile;
import org.lengthwise.task.Recall;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TaskConfig;

/**
 * The accuracy of models of recall tasks. A cell is one model on the strings of one stream, setting
 * and length: a line of {@code accuracy.jsonl}, and its lines of {@code predictions.jsonl}.
 */
final class RecallMeasurement extends CheckpointMeasurement<RecallMeasurement.Cell> {
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();
  private static final Logger LOG = LogManager.getLogger(RecallMeasurement.class);
  private static final String PREDICTIONS = "predictions";

  private final RecallTests tests;
  private final Map<RecallTask, Strings> opened = new HashMap<>();

  RecallMeasurement(RecallTests tests, List<Checkpoint> checkpoints) {
    super(checkpoints, tests.settings(), new ArrayList<>());
    this.tests = tests;
    for (MeasuredModel model : MeasuredModel.ofAll(checkpoints, tests.changes())) {
      cells().addAll(cells(model));
    }
  }

  /**
   * One line of results.
   *
   * @param length the length, the longest one if they are mixed
   */
  record Cell(MeasuredModel model, RecallTask task, ObjectNode settings, Drawn drawn, int length) {
    boolean isOf(AccuracyResult result) {
      return result.subject().isSameModel(model.described())
          && result.strings().settings().equals(settings)
          && result.strings().drawn() == drawn
          && result.length() == length;
    }

    Stream stream() {
      return drawn == Drawn.TEST ? Stream.TEST : Stream.LEARNED;
    }
  }

  /**
   * What decides the numbers, in addition to the checkpoints.
   *
   * @param changes those of positions; empty without any
   * @param strings the checksums of tasks whose strings are in files, by name
   */
  private record Description(
      @JsonUnwrapped RecallTests tests,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PositionChange> changes,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> strings) {}

  @Override
  public String name() {
    return "evaluate";
  }

  @Override
  protected Record ownDescription() {
    Map<String, String> files = new TreeMap<>();
    opened.forEach(
        (task, strings) -> {
          if (task instanceof FileTask) {
            files.put(task.name(), strings.sha256());
          }
        });
    List<PositionChange> changes = tests.changes();
    return new Description(
        tests, changes.equals(List.of(PositionChange.NONE)) ? List.of() : changes, files);
  }

  /** Two cells that decide whether the task is learned, then those of the requested lengths. */
  private List<Cell> cells(MeasuredModel model) {
    RecallTask trained =
        model.checkpoint().origin().stringTask().flatMap(TaskConfig::recall).orElseThrow();
    int longest = trained.trainingLengths().max().orElseThrow();
    int known = model.model().vocabulary();
    if (strings(trained).vocabulary() > known) {
      throw new ConfigException(
          "the strings of " + trained.name(),
          "ids below %s, as in the training of %s".formatted(known, model.name()),
          "an id of " + (strings(trained).vocabulary() - 1),
          "correct the strings, or train again");
    }
    List<Cell> all = new ArrayList<>();
    ObjectNode own = trained.settings();
    all.add(new Cell(model, trained, own, Drawn.MIXED, longest));
    all.add(new Cell(model, trained, own, Drawn.LEARNED, longest));
    List<Integer> requested = tests.lengths().forTraining(model.checkpoint().origin().length());
    for (ObjectNode varied : tests.combinations()) {
      RecallTask task = with(trained, varied);
      ObjectNode settings = task.settings();
      List<Integer> has = requested.stream().filter(length -> has(task, length)).toList();
      if (has.size() < requested.size()) {
        LOG.warn(
            "{}{} has no strings of some requested lengths: results at {} only",
            task.name(),
            settings.isEmpty() ? "" : " with " + settings,
            has);
      }
      model.readable(has, task::numTokens).stream()
          .map(length -> new Cell(model, task, settings, Drawn.TEST, length))
          .forEach(all::add);
    }
    if (all.size() == 2) {
      throw new ConfigException(
          "--lengths",
          "a length at which %s has strings that %s can read"
              .formatted(trained.name(), model.name()),
          requested.toString(),
          "request other lengths, or vary other settings");
    }
    return all;
  }

  static RecallTask with(RecallTask trained, ObjectNode settings) {
    try {
      return trained.with(settings);
    } catch (InvalidValueException e) {
      throw new ConfigException("vary." + e.key(), e.expected(), e.found(), "correct the value", e);
    }
  }

  private boolean has(RecallTask task, int length) {
    if (task instanceof DrawnTask drawn && !drawn.form().has().test(length)) {
      return false;
    }
    Strings strings = strings(task);
    try {
      return strings.count(Stream.TEST, length, 1) == 1
          && strings.at(Stream.TEST, length, 0).ids().length > 0;
    } catch (InvalidValueException e) {
      return false; // settings such as the number of pairs need longer strings
    }
  }

  private Strings strings(RecallTask task) {
    return opened.computeIfAbsent(task, t -> t.open(new RandomStreams(tests.seed())));
  }

  @Override
  public long tokens(Cell cell) {
    int samples = cell.drawn() == Drawn.TEST ? tests.samples() : tests.learnedSamples();
    return (long) samples * cell.task().numTokens(cell.length());
  }

  @Override
  public Set<Cell> finished(Path folder) throws IOException {
    return finished(ResultFile.ACCURACIES.values(folder), Cell::isOf);
  }

  /**
   * One line of {@code predictions.jsonl}.
   *
   * @param predicted one id for each target; -1 if two ids were equally probable
   */
  @SuppressWarnings("ArrayRecordComponent") // Written and never compared.
  private record Prediction(
      String run,
      long seed,
      String task,
      ObjectNode settings,
      Stream stream,
      int length,
      long index,
      int[] predicted) {}

  @Override
  public String measure(Cell cell, Path folder, LongConsumer done) throws IOException {
    LoadedModel loaded = load(cell.model(), ModelState.TRAINED);
    Strings strings = strings(cell.task());
    RecallCount count = new RecallCount(cell.task());
    AtomicFile.write(
        MeasurementFolder.part(folder, PREDICTIONS, cells().indexOf(cell)),
        out -> {
          long read = 0;
          for (int length : lengths(cell)) {
            int number = strings.count(cell.stream(), length, samples(cell));
            for (int first = 0, end; first < number; first = end) {
              end = Math.min(number, first + batch(loaded, cell.task().numTokens(length)));
              List<RecallString> some = new ArrayList<>();
              for (int i = first; i < end; i++) {
                some.add(strings.at(cell.stream(), length, i));
              }
              write(cell, length, first, count.add(some, predicted(loaded, some)), out);
              read += (long) some.size() * cell.task().numTokens(length);
              done.accept(Math.min(read, tokens(cell)));
            }
          }
        });
    AccuracyResult result = count.result(cell, strings.chance(), tests.seed());
    ResultFile.ACCURACIES.append(folder, result);
    return "%s on %s at %s: %s"
        .formatted(
            result.run(),
            cell.task().name(),
            cell.length(),
            Count.of(result.share(0).errors(), "error"));
  }

  private static int[] lengths(Cell cell) {
    return cell.drawn() == Drawn.MIXED
        ? cell.task().trainingLengths().toArray()
        : new int[] {cell.length()};
  }

  /** The strings of one length: equally many of each training length if they are mixed. */
  private int samples(Cell cell) {
    int all = cell.drawn() == Drawn.TEST ? tests.samples() : tests.learnedSamples();
    int numLengths = lengths(cell).length;
    return (all + numLengths - 1) / numLengths;
  }

  private int batch(LoadedModel loaded, int numTokens) {
    BatchPlan plan = plan(loaded);
    int fitting =
        Math.min(plan.forwardSequences(numTokens, false), plan.rowsOfLogits() / numTokens);
    return Math.max(1, fitting);
  }

  /** The predictions of each string at its targets. */
  private static List<int[]> predicted(LoadedModel loaded, List<RecallString> strings) {
    try (NDManager pass = loaded.manager().newSubManager()) {
      Task.Batch batch = Recall.samples(strings).on(pass);
      int[] all = Recall.predicted(loaded.model(), batch);
      List<int[]> each = new ArrayList<>();
      int first = 0;
      for (RecallString string : strings) {
        int end = first + (int) Arrays.stream(string.targets()).filter(id -> id >= 0).count();
        each.add(Arrays.copyOfRange(all, first, end));
        first = end;
      }
      return each;
    }
  }

  private static void write(
      Cell cell, int length, int first, List<int[]> predicted, OutputStream out)
      throws IOException {
    for (int i = 0; i < predicted.size(); i++) {
      Prediction line =
          new Prediction(
              cell.model().name(),
              cell.model().described().seed(),
              cell.task().name(),
              cell.settings(),
              cell.stream(),
              length,
              first + i,
              predicted.get(i));
      out.write(MAPPER.writeValueAsBytes(line));
      out.write('\n');
    }
  }

  @Override
  public void summarise(Path folder) throws IOException {
    MeasurementFolder.join(folder, PREDICTIONS);
  }
}
