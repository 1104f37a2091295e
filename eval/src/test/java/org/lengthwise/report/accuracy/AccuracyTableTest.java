package org.lengthwise.report.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.plot.Chart;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.Question.Answer;
import org.lengthwise.report.form.Question.Reference;
import org.lengthwise.report.form.TableText;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Baseline;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.AccuracyResult.Strings;
import org.lengthwise.result.Located;
import org.lengthwise.result.Samples;
import org.lengthwise.statistics.AccuracyRule;
import org.lengthwise.statistics.Interval;

/** Two seeds of a run at T_tr = 128 and beyond, with invented errors. */
class AccuracyTableTest {
  private static final List<AccuracyResult> RESULTS =
      List.of(
          result(1, 100, 0),
          result(2, 100, 0),
          result(1, 200, 1),
          result(2, 200, 50),
          result(1, 300, 1),
          result(2, 300, 0));

  private static AccuracyResult result(long seed, int length, long errors) {
    return labelled(seed, "near", length, 100, errors)
        .with(
            List.of(
                new Baseline("label 0", true, List.of(60L)),
                new Baseline("label 1", true, List.of(40L)),
                new Baseline("always inside", false, List.of(40L)),
                new Baseline("a good one", false, List.of(95L))));
  }

  private static AccuracyResult labelled(
      long seed, String negatives, int length, int count, long errors) {
    return AccuracyResult.of(
        AccuracyResult.LABELS,
        Samples.checkpoint("brackets", seed),
        new Strings(
            "d_2",
            JsonNodeFactory.instance.objectNode().put("negatives", negatives).put("p", 0.5),
            Drawn.TEST,
            length,
            count,
            7L),
        new Share("strings", count - errors, count));
  }

  private static Located<AccuracyResult> here(AccuracyResult result) {
    return new Located<>(Path.of("accuracy.jsonl"), 1, result);
  }

  private static List<AccuracyMean> means(Stream<AccuracyResult> results) {
    return AccuracyMean.of(AccuracyMean.distinct(results.map(AccuracyTableTest::here).toList()));
  }

  @Test
  void lengthsUpToTheTrainingLengthAndBeyondHaveARowEach() {
    TableText table = new AccuracyTable(0.95).of(means(RESULTS.stream()));
    assertThat(MarkdownTable.of(List.of(table)))
        .contains(
            "| brackets | d_2 | near | 100 | 2 | 100.00 (98.12–100.00) | 100.00 | 0 of 200 | 60.00"
                + " | 95.00: a good one |",
            "| brackets | d_2 | near | 200–300 (2) | 2 | 87.00 (83.35–89.95) | 99.00 | 52 of 400 |"
                + " 60.00 | 95.00: a good one |",
            "A score near theirs does not show that a language was learned.");
  }

  @Test
  void aFewErrorsAreNotRoundedToNone() {
    AccuracyResult almost = labelled(1, "uniform", 500, 100_000, 1);
    assertThat(MarkdownTable.of(List.of(new AccuracyTable(0.95).of(means(Stream.of(almost))))))
        .contains("| 99.99 (99.99–99.99) | 99.99 | 1 of 100,000 |");
  }

  @Test
  void csvHasALineForEachSeedAndLength() {
    assertThat(new AccuracyTable(0.95).csv(means(RESULTS.stream())).lines())
        .hasSize(7)
        .contains(
            "run,scheme,seed,task,negatives,p,length,count,errors,accuracy,low,high,constant,rule,rule_accuracy,token_accuracy")
        .anyMatch(
            line ->
                line.startsWith("brackets,brackets,2,d_2,near,0.5,200,100,50,0.5,")
                    && line.endsWith(",0.6,\"a good one\",0.95,"));
  }

  private static Question question(AccuracyResult... results) {
    return new AccuracyPart(List.of(results), List.of(), new AccuracyRule(90, 1), 0.95)
        .questions()
        .get(0);
  }

  @Test
  void seedsCountIf99PercentAreRightUpToTheTrainingLength() {
    Question question =
        question(
            result(1, 100, 1),
            result(2, 100, 2),
            result(3, 100, 0),
            result(1, 300, 50),
            result(2, 300, 10),
            result(3, 300, 30));
    assertThat(question.title()).isEqualTo("d_2, near, 300");
    assertThat(question.answers())
        .containsExactly(new Answer("brackets", 0.6, new Interval(0.5, 0.7), 3, 2));
    Question ofLongStrings = question(result(1, 300, 50));
    assertThat(ofLongStrings.answers().get(0).learned()).isEqualTo(1);
    assertThat(ofLongStrings.references())
        .containsExactly(new Reference("constant answer", 0.6), new Reference("a good one", 0.95));
  }

  @Test
  void chartHasALineForEachRun() {
    List<Chart> charts =
        AccuracyChart.of(means(RESULTS.stream()), new Looks(List.of("brackets")), 0.95);
    assertThat(charts).extracting(Chart::name).containsExactly("accuracy-d_2-near");
    assertThat(charts.get(0).series()).hasSize(1);
    assertThat(charts.get(0).series().get(0).points())
        .extracting(point -> point.y())
        .containsExactly(1.0, 0.745, 0.995);
  }

  @Test
  void resultsThatContradictEachOtherAreRejected() {
    assertThat(means(Stream.concat(RESULTS.stream(), RESULTS.stream())).get(0).results())
        .hasSize(6);
    assertThatThrownBy(() -> means(Stream.of(result(1, 100, 0), result(1, 100, 2))))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("one accuracy for each run, seed, setting and length");
  }
}
