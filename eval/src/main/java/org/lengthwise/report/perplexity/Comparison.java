package org.lengthwise.report.perplexity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.report.form.Groups;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.result.Protocol;

/**
 * Results that can be compared, in the order of a report.
 *
 * <p>A report stops if its numbers would not be comparable: results on different test data; one run
 * with two schemes, two models or two training lengths; one seed of a run at two training steps;
 * one protocol with two choices of windows; two different results for the same run, seed, protocol
 * and length. Results of the aligned protocol on different targets still estimate the same
 * quantity, but they are no longer paired. They cause a warning and a note under the table.
 *
 * <p>Each tokenizer has its own test set. Results of several tokenizers are compared in bits per
 * byte only, so a report stops if one of them does not know its bytes.
 */
final class Comparison {
  private static final Logger LOG = LogManager.getLogger(Comparison.class);

  private record Identity(String run, long seed, Protocol protocol, int length) {
    static Identity of(EvaluationResult result) {
      return new Identity(result.run(), result.seed(), result.protocol(), result.length());
    }
  }

  private record Windows(Protocol protocol, int length) {}

  private record RunSeed(String run, long seed) {}

  private final List<EvaluationResult> results;
  private final List<Column> columns;

  private Comparison(List<EvaluationResult> results, List<Column> columns) {
    this.results = List.copyOf(results);
    this.columns = List.copyOf(columns);
  }

  /**
   * Checks results against each other and orders them. Runs that the paper does not have keep their
   * order.
   *
   * @throws DataFormatException if two results cannot be compared; the message names both
   */
  static Comparison of(List<Located<EvaluationResult>> found) {
    Groups.requireOne(found, "one test set", Comparison::tokenizer, EvaluationResult::dataSha256);
    if (isMixed(found.stream().map(Located::value))) {
      found.stream()
          .filter(result -> result.value().bitsPerByte().isEmpty())
          .forEach(Comparison::rejectWithoutBytes);
    }
    Groups.requireOne(
        found,
        "one scheme for each run",
        EvaluationResult::run,
        result -> result.subject().scheme());
    Groups.requireOne(
        found.stream().filter(result -> result.value().subject().knownModel().isPresent()).toList(),
        "one model for each run",
        EvaluationResult::run,
        result -> result.subject().knownModel());
    Groups.requireOne(
        found,
        "one training length for each run",
        EvaluationResult::run,
        result -> result.subject().trainLength());
    Groups.requireOne(
        found,
        "one training step for each seed of a run",
        result -> new RunSeed(result.run(), result.seed()),
        result -> result.subject().step());
    Groups.requireOne(
        found,
        "one choice of windows for each protocol",
        EvaluationResult::protocol,
        result -> result.windows().withinDocument());
    Groups.requireOne(
        found,
        "windows with BOS or windows without BOS for each model, not both",
        result -> RunName.withoutChange(result.run()),
        result -> result.windows().bosTokenId() == null ? "without BOS" : "with BOS");
    Groups.requireOne(
        found,
        "one number of tokens scored in a window for each protocol and length",
        result -> new Windows(result.protocol(), result.length()),
        result -> result.windows().scoredPerWindow());
    Groups.requireOne(
        found,
        "one result for each run, seed, protocol and length",
        Identity::of,
        result -> List.of(result.sums().sum(), result.sums().count(), result.targetsSha256()));
    List<EvaluationResult> results =
        found.stream()
            .map(Located::value)
            .collect(
                Collectors.toMap(
                    Identity::of, result -> result, (first, same) -> first, LinkedHashMap::new))
            .values()
            .stream()
            .toList();
    return new Comparison(results, columnsOf(results));
  }

  /** The tokenizer by its SHA-256, or by its name in a line that lacks it. */
  private static String tokenizer(EvaluationResult result) {
    return Optional.ofNullable(result.text().tokenizerSha256())
        .or(() -> result.subject().knownModel().map(EvaluatedCheckpoint.Model::tokenizer))
        .orElse("unknown");
  }

  private static void rejectWithoutBytes(Located<EvaluationResult> result) {
    throw new DataFormatException(
        result.place(),
        "one test set, or bytes in each result, because perplexities of unlike tokenizers cannot"
            + " be compared",
        "another test set than in other results, and no bytes (" + result.value().run() + ")",
        "with --results, name only folders of one tokenizer, or evaluate the checkpoint again"
            + " into a new folder");
  }

  private static boolean isMixed(Stream<EvaluationResult> results) {
    return results.map(EvaluationResult::dataSha256).distinct().count() > 1;
  }

  boolean isMixed() {
    return isMixed(results.stream());
  }

  private static List<Column> columnsOf(List<EvaluationResult> results) {
    return results.stream()
        .map(Comparison::column)
        .distinct()
        .sorted(Comparator.comparing(Column::run, RunName.paperFirst()))
        .toList();
  }

  /** The runs as columns; the paper's runs come first, in the order of the paper. */
  List<Column> columns() {
    return columns;
  }

  /**
   * The results without repetitions, by run in the order of {@link #columns()}, then by seed,
   * protocol and length.
   */
  List<EvaluationResult> results() {
    List<String> runs = columns.stream().map(Column::run).toList();
    return results.stream()
        .sorted(
            Comparator.comparingInt((EvaluationResult result) -> runs.indexOf(result.run()))
                .thenComparing(EvaluationResult::seed)
                .thenComparing(EvaluationResult::protocol)
                .thenComparing(EvaluationResult::length))
        .toList();
  }

  List<PerplexityTable> tables() {
    return Arrays.stream(Protocol.values())
        .map(protocol -> results().stream().filter(r -> r.protocol() == protocol).toList())
        .filter(rows -> !rows.isEmpty())
        .map(this::table)
        .toList();
  }

  private PerplexityTable table(List<EvaluationResult> rows) {
    Map<Column, Map<Integer, TableCell>> cells =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    Comparison::column,
                    Collectors.groupingBy(
                        EvaluationResult::length,
                        Collectors.collectingAndThen(
                            Collectors.mapping(EvaluationResult::perplexity, Collectors.toList()),
                            TableCell::new))));
    Map<Column, EvaluatedCheckpoint.Model> models = new LinkedHashMap<>();
    rows.forEach(
        row -> row.subject().knownModel().ifPresent(model -> models.put(column(row), model)));
    List<Integer> lengths =
        rows.stream().map(EvaluationResult::length).distinct().sorted().toList();
    return new PerplexityTable(
        rows.get(0).protocol(),
        columns.stream().filter(cells::containsKey).toList(),
        lengths,
        cells,
        models,
        notes(rows));
  }

  private static Column column(EvaluationResult result) {
    return new Column(result.run(), result.subject().trainLength());
  }

  private static List<String> notes(List<EvaluationResult> rows) {
    Protocol protocol = rows.get(0).protocol();
    List<String> notes = new ArrayList<>();
    notes.add(
        "Protocol %s: %s; %s, %s."
            .formatted(protocol.label(), protocol.meaning(), scored(rows), where(rows)));
    boolean lastTokens = rows.stream().allMatch(row -> row.windows().scoredPerWindow() == 1);
    notes.add(
        "Each perplexity is exp(mean negative log-likelihood of "
            + Numbers.range(rows.stream().map(result -> result.sums().count()).sorted().toList())
            + (lastTokens ? " last tokens" : " tokens")
            + "). Over seeds the perplexities are averaged; ± is their sample standard"
            + " deviation.");
    if (lastTokens) {
      standardError(rows).ifPresent(notes::add);
    } else {
      notes.add(
          "Tokens of one window are correlated, so whole windows are resampled for intervals. The"
              + " standard errors in table.csv are over the same units.");
    }
    boolean sharesTargets = protocol == Protocol.ALIGNED || protocol == Protocol.SLIDING_WINDOW;
    long numTargets =
        rows.stream().collect(Groups.by(row -> sharesTargets ? 0 : row.length())).values().stream()
            .mapToLong(
                alike -> alike.stream().map(EvaluationResult::targetsSha256).distinct().count())
            .max()
            .orElseThrow();
    if (numTargets > 1 && !isMixed(rows.stream())) {
      String note =
          "Warning: %s different sets of targets. Comparisons use the targets that both sides"
              + " have.";
      LOG.warn("{} protocol: {} different sets of targets", protocol.label(), numTargets);
      notes.add(note.formatted(numTargets));
    }
    return notes;
  }

  private static String scored(List<EvaluationResult> rows) {
    if (rows.stream().allMatch(row -> row.windows().scoredPerWindow() == row.length() - 1)) {
      return "all tokens of each window except the first are scored";
    }
    List<Long> scored =
        rows.stream()
            .map(row -> (long) row.windows().scoredPerWindow())
            .distinct()
            .sorted()
            .toList();
    return scored.equals(List.of(1L))
        ? "the last token of each window is scored"
        : "the last %s tokens of each window are scored".formatted(Numbers.range(scored));
  }

  private static String where(List<EvaluationResult> rows) {
    return rows.get(0).windows().withinDocument()
        ? "windows lie within documents"
        : "windows cross document boundaries";
  }

  private static Optional<String> standardError(List<EvaluationResult> rows) {
    OptionalDouble largest =
        rows.stream()
            .mapToDouble(result -> result.sums().standardError())
            .filter(Double::isFinite)
            .max();
    return largest.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The standard error over these tokens is at most "
                + Numbers.of("%.1f %%", 100 * Math.expm1(largest.getAsDouble()))
                + " of the perplexity of a seed. table.csv has each standard error.");
  }
}
