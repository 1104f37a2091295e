package org.lengthwise.report.perplexity;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.measure.perplexity.DocumentEnds;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.Question.Answer;
import org.lengthwise.report.form.Question.Reference;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.statistics.DocumentEndRule;
import org.lengthwise.statistics.Estimate;
import org.lengthwise.statistics.Interval;

/**
 * The perplexities of a report: one table with its statistics for each protocol. Results of several
 * tokenizers have a table of bits per byte instead, without statistics.
 */
public final class PerplexityPart implements Part {
  private final Comparison comparison;
  private final IndividualScores scores;
  private final List<TableStatistics> statistics;
  private final List<TrainedRun> trained;
  private final PerplexityRules rules;

  private PerplexityPart(
      Comparison comparison,
      IndividualScores scores,
      List<TrainedRun> trained,
      PerplexityRules rules) {
    this.comparison = comparison;
    this.scores = scores;
    this.statistics =
        comparison.isMixed()
            ? List.of()
            : comparison.tables().stream()
                .map(table -> TableStatistics.of(table, scores, rules))
                .toList();
    this.trained = trained;
    this.rules = rules;
  }

  /**
   * Compares results, and reads their rows.
   *
   * @throws DataFormatException if results cannot be compared, rows do not belong to their result,
   *     or documents are of other data
   */
  public static PerplexityPart of(
      List<Located<EvaluationResult>> found, List<TrainedRun> trained, PerplexityRules rules)
      throws IOException {
    List<EvaluationResult> results = found.stream().map(Located::value).toList();
    String reference = rules.context().run();
    if (reference != null && results.stream().noneMatch(one -> one.run().equals(reference))) {
      throw new ConfigException(
          "context.run",
          "a run of the results",
          reference,
          "name one of "
              + results.stream().map(EvaluationResult::run).distinct().sorted().toList());
    }
    DocumentEndRule end = rules.documentEnd();
    DocumentEnds ends = DocumentEnds.of(end.data(), end.last(), results);
    return new PerplexityPart(
        Comparison.of(found), IndividualScores.read(found, ends), trained, rules);
  }

  /** {@return the results without repetitions, in the order of tables} */
  public List<EvaluationResult> results() {
    return comparison.results();
  }

  public List<VerdictRow> verdicts() {
    return statistics.stream().flatMap(VerdictRow::of).toList();
  }

  public List<EstimateRow> estimates() {
    return statistics.stream().flatMap(EstimateRow::of).toList();
  }

  @Override
  public Stream<String> runs() {
    return comparison.columns().stream().map(Column::run);
  }

  @Override
  public Map<String, String> files() {
    return Map.of("table.csv", csv(comparison.results(), scores));
  }

  /**
   * One row for each result, with numbers in full precision. Names need no quotes, because they
   * contain only letters, digits, dots, underscores and hyphens.
   */
  static String csv(List<EvaluationResult> results, IndividualScores scores) {
    return new Columns<EvaluationResult>()
        .words("run", EvaluationResult::run)
        .words("scheme", one -> one.subject().scheme())
        .words("seed", EvaluationResult::seed)
        .words("protocol", one -> one.protocol().label())
        .number("length", EvaluationResult::length)
        .number("count", one -> one.sums().count())
        .number("nll_mean", one -> one.sums().mean())
        .number("ppl", EvaluationResult::perplexity)
        .number("stderr", one -> text(scores.standardError(one)))
        .words("within_document", one -> one.windows().withinDocument())
        .number("scored_per_window", one -> one.windows().scoredPerWindow())
        .number("bits_per_byte", one -> text(one.bitsPerByte()))
        .csv(results);
  }

  private static String text(OptionalDouble value) {
    return value.isEmpty() ? "" : Double.toString(value.getAsDouble());
  }

  /** The verdicts come first, then each table with its details, then the losses by position. */
  @Override
  public List<Section> sections(Looks looks) {
    if (comparison.isMixed()) {
      return comparison.tables().stream()
          .map(table -> PerplexitySections.ofMixed(table, results()))
          .toList();
    }
    List<PerplexitySections> tables =
        statistics.stream().map(table -> new PerplexitySections(this, table, looks)).toList();
    return Stream.of(
            tables.stream().map(PerplexitySections::findings),
            tables.stream().flatMap(PerplexitySections::details),
            tables.stream().map(PerplexitySections::positions))
        .flatMap(sections -> sections)
        .toList();
  }

  /** The perplexities of the first protocol at the shortest T_tr and at the longest length. */
  @Override
  public List<Question> questions() {
    if (statistics.isEmpty()) {
      return List.of();
    }
    TableStatistics table = statistics.get(0);
    int trained =
        table.table().columns().stream().mapToInt(Column::trainLength).min().orElseThrow();
    return Stream.of(trained, table.longest()).distinct().map(at -> question(table, at)).toList();
  }

  /** Without individual values the interval is the range of the seeds. */
  private static Question question(TableStatistics table, int length) {
    List<Answer> answers = new ArrayList<>();
    List<Reference> references = new ArrayList<>();
    for (Column column : table.table().columns()) {
      Optional<TableCell> found = table.table().cell(column, length);
      if (found.isEmpty()) {
        continue;
      }
      TableCell cell = found.get();
      if (column.isBaseline()) {
        references.add(new Reference(RunName.heading(column.run()), cell.ofMeanNll()));
        continue;
      }
      Interval interval =
          table
              .mean(column, length)
              .map(Estimate::interval)
              .map(nll -> new Interval(Math.exp(nll.low()), Math.exp(nll.high())))
              .orElseGet(cell::range);
      int seeds = cell.numSeeds();
      answers.add(new Answer(column.run(), cell.ofMeanNll(), interval, seeds, seeds));
    }
    String title = "perplexity at " + Numbers.count(length);
    return new Question(Question.TEXT, title, Question.Measure.PERPLEXITY, answers, references);
  }

  List<TableStatistics> statistics() {
    return statistics;
  }

  IndividualScores scores() {
    return scores;
  }

  List<TrainedRun> trained() {
    return trained;
  }

  PerplexityRules rules() {
    return rules;
  }
}
