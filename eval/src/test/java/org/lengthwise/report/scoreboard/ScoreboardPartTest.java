package org.lengthwise.report.scoreboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.Question.Answer;
import org.lengthwise.report.form.Question.Measure;
import org.lengthwise.report.form.Question.Reference;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.report.scoreboard.TradeChart.Trade;
import org.lengthwise.statistics.Interval;

class ScoreboardPartTest {
  private static final Question PERPLEXITY =
      new Question(
          Question.TEXT,
          "perplexity at 1,024",
          Measure.PERPLEXITY,
          List.of(
              answer("alibi-text", 4, 2),
              answer("rope-text", 16, 2),
              answer("rope-text-yarn", 8, 2),
              answer("none-text", 5, 2),
              answer("t5-text", 6, 2)),
          List.of(new Reference("5-gram", 4.5)));
  private static final Question RECALL =
      new Question(
          "mqar",
          "mqar, 512",
          Measure.RECALL,
          List.of(
              answer("alibi-mqar", 0.25, 2),
              answer("rope-mqar", 0.5, 0),
              answer("rope-mqar-yarn", 0.1, 2),
              answer("t5-mqar", 0.75, 1),
              answer("none-mqar", 0.2, 2)),
          List.of(new Reference("guess", 0.05)));
  private static final Question TIME =
      new Question(
          Question.TEXT,
          "ms a step",
          Measure.TIME,
          List.of(
              answer("alibi-text", 20, 2),
              answer("t5-text", 30, 2),
              answer("rope-text", 25, 2),
              answer("none-text", 10, 2)),
          List.of());

  private static Answer answer(String run, double value, int learned) {
    return new Answer(run, value, new Interval(value / 2, value), 2, learned);
  }

  private record Answers(List<Question> questions) implements Part {
    @Override
    public Stream<String> runs() {
      return Stream.of();
    }

    @Override
    public List<Section> sections(Looks looks) {
      return List.of();
    }
  }

  private static ScoreboardPart board(Question... questions) {
    return ScoreboardPart.of(
        Stream.of(questions).<Part>map(one -> new Answers(List.of(one))).toList());
  }

  private static List<Section> sections(ScoreboardPart board) {
    return board.sections(new Looks(board.rows()));
  }

  @Test
  void aRunStandsInTheRowOfItsColumn() {
    assertThat(board(PERPLEXITY, RECALL).rows())
        .containsExactly("alibi", "none", "t5", "rope-yarn", "rope");
  }

  @Test
  void withoutPerplexitiesTheModelsOfThePaperAreFirst() {
    Question copy =
        new Question(
            "copy", "copy, 320", Measure.RECALL, List.of(answer("t5-copy", 0.5, 1)), List.of());

    assertThat(board(RECALL, copy).rows())
        .containsExactly("t5", "alibi", "rope", "rope-yarn", "none");
  }

  @Test
  void modelsOfOneSubjectHaveNoScoreboard() {
    ScoreboardPart board = board(PERPLEXITY, TIME);

    assertThat(board.rows()).isEmpty();
    assertThat(board.files()).isEmpty();
    assertThat(sections(board)).isEmpty();
  }

  @Test
  void theTableHasACellForEachAnswer() {
    TableText table = sections(board(PERPLEXITY, RECALL)).get(0).tables().findFirst().orElseThrow();

    assertThat(table.header()).containsExactly("model", "perplexity at 1,024", "mqar, 512, %");
    assertThat(table.rows())
        .containsExactly(
            row(
                "ALiBi",
                shaded("4.00", 1),
                new Entry("25.0", "(12.5–25.0)", "", (0.25 - 0.05) / 0.95)),
            row(
                "No position",
                shaded("5.00", 1 - Math.log(1.25) / Math.log(2)),
                new Entry("20.0", "(10.0–20.0)", "", (0.2 - 0.05) / 0.95)),
            row(
                "T5",
                shaded("6.00", 1 - Math.log(1.5) / Math.log(2)),
                new Entry("75.0", "(1 of 2)", "", (0.75 - 0.05) / 0.95)),
            row("RoPE, YaRN", shaded("8.00", 0), shaded("10.0", (0.1 - 0.05) / 0.95)),
            row("RoPE", shaded("16.00", 0), Entry.of("(50.0)")));
    assertThat(table.foot())
        .containsExactly(
            row("5-gram", Entry.of("4.50"), Entry.of("–")),
            row("guess", Entry.of("–"), Entry.of("5.0")));
  }

  @Test
  void onlyAShareWithoutAnErrorIs100() {
    assertThat(RECALL.number(0.9999)).isEqualTo("99.9");
    assertThat(RECALL.number(1)).isEqualTo("100.0");
  }

  private static List<Entry> row(String name, Entry... cells) {
    return TableText.line(name, cells);
  }

  private static Entry shaded(String text, double shade) {
    return new Entry(text, "", "", shade);
  }

  @Test
  void theFileHasIntervalsSeedsAndReferences() {
    assertThat(board(PERPLEXITY, RECALL).files().get("scoreboard.csv"))
        .startsWith("model,question,value,low,high,seeds,learned\n")
        .contains("\"t5\",\"perplexity at 1,024\",6.0,3.0,6.0,2,2\n")
        .contains("\"rope\",\"mqar, 512\",0.5,0.25,0.5,2,0\n")
        .endsWith("\"guess\",\"mqar, 512\",0.05,,,,\n");
  }

  /**
   * ALiBi has the best perplexity, T5 the best recall, and no position the shortest step. YaRN has
   * the time of RoPE, which has not learned the task.
   */
  @Test
  void starsMarkModelsThatNoOtherBeatsAtTheirCost() {
    assertThat(names(chart(PERPLEXITY, RECALL, TIME)))
        .containsExactly(
            "no other beats it",
            "ALiBi, 20.00 *",
            "No position, 10.00 *",
            "T5, 30.00 *",
            "RoPE, YaRN, 25.00");
    assertThat(names(chart(PERPLEXITY, RECALL)))
        .containsExactly("no other beats it", "ALiBi *", "No position", "T5 *", "RoPE, YaRN");
  }

  private static List<String> names(Chart chart) {
    return chart.series().stream().map(series -> series.label().name()).toList();
  }

  @Test
  void theLineJoinsModelsThatNoOtherBeatsInBoth() {
    Series line = chart(PERPLEXITY, RECALL, TIME).series().get(0);
    assertThat(line.style()).isEqualTo(Series.Style.THIN);
    assertThat(line.points()).containsExactly(new Point(4, 0.25), new Point(6, 0.75));
  }

  @Test
  void aTaskThatTwoModelsHaveLearnedHasAChart() {
    Question flipflop =
        new Question(
            "flipflop",
            "flipflop, p 0.1, 512",
            Measure.RECALL,
            List.of(
                answer("alibi-flipflop", 0.5, 2),
                answer("rope-flipflop", 0.5, 0),
                answer("t5-flipflop", 0.5, 1)),
            List.of());
    Question copy =
        new Question(
            "copy", "copy, 320", Measure.RECALL, List.of(answer("t5-copy", 0.5, 1)), List.of());
    assertThat(sections(board(flipflop, copy, PERPLEXITY, RECALL)).get(0).charts())
        .extracting(Chart::name)
        .containsExactly("scoreboard-flipflop-p-0.1-512", "scoreboard-mqar-512");
  }

  @Test
  void timesWithinATenthAreEqual() {
    Trade slow = new Trade("slow", 4, 0.5, OptionalDouble.of(1.05));
    Trade fast = new Trade("fast", 5, 0.5, OptionalDouble.of(1));
    Trade unknown = new Trade("unknown", 5, 0.5, OptionalDouble.empty());
    assertThat(slow.beatsInTime(fast)).isTrue();
    assertThat(fast.beatsInTime(slow)).isFalse();
    assertThat(fast.beatsInTime(unknown)).isTrue();
    assertThat(fast.beatsInTime(fast)).isFalse();
    Trade slower = new Trade("slower", 4, 0.5, OptionalDouble.of(1.2));
    assertThat(slower.beatsInTime(fast)).isFalse();
    assertThat(slower.beats(fast)).isTrue();
    assertThat(slow.beatsInTime(slower)).isTrue();
  }

  @Test
  void aCellSaysThatOthersHaveMoreSeeds() {
    Question once =
        new Question(
            "mqar",
            "mqar, 512",
            Measure.RECALL,
            List.of(
                new Answer("alibi-mqar", 0.5, new Interval(0, 1), 1, 1),
                new Answer("none-mqar", 0.25, new Interval(0, 1), 1, 0)),
            List.of());
    Question time =
        new Question(
            Question.TEXT,
            "ms a step",
            Measure.TIME,
            List.of(new Answer("alibi-text", 20, new Interval(20, 20), 1, 1)),
            List.of());
    TableText table =
        sections(board(PERPLEXITY, once, time)).get(0).tables().findFirst().orElseThrow();
    assertThat(table.rows().get(0))
        .isEqualTo(
            row(
                "ALiBi",
                shaded("4.00", 1),
                new Entry("50.0", "(1 seed)", "", 0.5),
                shaded("20.00", 1)));
    assertThat(table.rows().get(1)).contains(new Entry("(25.0)", "(1 seed)", ""));
  }

  private static Chart chart(Question... questions) {
    return sections(board(questions)).get(0).charts().findFirst().orElseThrow();
  }
}
