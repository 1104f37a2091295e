package org.lengthwise.report.accuracy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.RecallScore;
import org.lengthwise.statistics.Proportion;

/** The tables of a group, with a row for each model, and the numbers of all as CSV. */
record RecallTables(double confidence) {
  private static final int STRINGS = 0;
  private static final int TOKENS = RecallScore.TOKENS;

  List<TableText> of(RecallGroup group) {
    List<TableText> tables =
        List.of(
            table(
                group,
                "Right tokens in %, " + group.title(),
                TOKENS,
                "The right tokens before a token are given. Intervals: Wilson's with the number of"
                    + " strings. Verdicts: holds, 99 % or more; chance, if the interval is not"
                    + " above the share of a guess; in part otherwise."),
            table(
                group,
                "Right strings in %, " + group.title(),
                STRINGS,
                "Strings without a wrong token. Intervals: Wilson's."));
    return group.models().stream().allMatch(group::isLearned)
        ? tables
        : tables.stream()
            .map(
                table ->
                    table.with(
                        "Not learned: below 99 % of right tokens at the lengths of the training;"
                            + " nothing follows from the numbers of such a model."))
            .toList();
  }

  private TableText table(RecallGroup group, String title, int share, String caption) {
    Columns<AccuracyMean> columns = new Columns<AccuracyMean>().words("length", group::heading);
    for (int length : group.all().lengths()) {
      columns.number(
          Numbers.count(length),
          model -> cell(model.at(length), share, group.isLearned(model.at(length))));
    }
    List<List<Entry>> foot = new ArrayList<>();
    if (share == TOKENS) {
      foot.add(line("guess", group, one -> one.share(TOKENS).chance()));
    }
    IntStream.range(0, group.all().any().baselines().size())
        .forEach(
            i ->
                foot.add(
                    line(
                        group.all().any().baselines().get(i).name(),
                        group,
                        one -> one.of(one.baselines().get(i), share))));
    return columns.of(title, group.models(), List.of(caption)).withFoot(foot);
  }

  /** What is known without a model. All models read the same strings, so any of them knows it. */
  private static List<Entry> line(
      String name, RecallGroup group, Function<AccuracyResult, Double> known) {
    return TableText.line(
        name,
        group.all().lengths().stream()
            .map(
                length ->
                    group.models().stream()
                        .filter(model -> model.lengths().contains(length))
                        .findFirst()
                        .orElseThrow()
                        .at(length)
                        .mean(known))
            .map(Proportion::percent)
            .toList());
  }

  /** One depth has an interval and a verdict; several depths have their mean. */
  private Object cell(AccuracyMean at, int share, boolean isLearned) {
    if (at.results().isEmpty()) {
      return Numbers.MISSING;
    }
    String percent = Proportion.percent(at.mean(one -> one.share(share).accuracy()));
    Proportion right = at.right(share);
    if (!isLearned) {
      return percent + ", " + Entry.NOT_LEARNED;
    }
    String text =
        "%s, %s wrong".formatted(percent, Numbers.count(right.trials() - right.successes()));
    if (at.results().size() > 1) {
      return text;
    }
    String verdict =
        share == TOKENS
            ? ", " + new RecallScore(at.any(), isLearned).verdict(confidence).words()
            : "";
    return new Entry(text + verdict, Numbers.percents(at.any().interval(share, confidence)), "");
  }

  String csv(List<RecallScore> scores) {
    Columns<RecallScore> columns =
        runs(new Columns<RecallScore>(), RecallScore::line)
            .number("strings", score -> score.line().strings().count());
    ofShare(columns, "string", STRINGS);
    columns.number("tokens", score -> score.tokens().count());
    ofShare(columns, "token", TOKENS);
    return columns
        .number("chance", score -> score.tokens().chance())
        .number("decoys", score -> decoys(score.line()))
        .words("verdict", score -> score.verdict(confidence).words())
        .csv(scores);
  }

  private void ofShare(Columns<RecallScore> columns, String name, int share) {
    columns
        .number(name + "_errors", score -> score.line().share(share).errors())
        .number(name + "_accuracy", score -> score.line().share(share).accuracy())
        .number(name + "_low", score -> score.line().interval(share, confidence).low())
        .number(name + "_high", score -> score.line().interval(share, confidence).high());
  }

  /** The answers that are the key of a needle that was not asked, of a task with needles. */
  private static Object decoys(AccuracyResult line) {
    return line.shares().size() > 2 ? line.share(2).right() : "";
  }

  static <T> Columns<T> runs(Columns<T> columns, Function<T, AccuracyResult> line) {
    return AccuracyTable.runs(columns, "task", line)
        .words("settings", one -> line.apply(one).strings().label().replace(",", ";"))
        .number("length", one -> line.apply(one).length());
  }

  private record Binned(AccuracyResult line, AccuracyResult.Bin bin) {}

  static String distances(List<RecallScore> scores) {
    return runs(new Columns<Binned>(), Binned::line)
        .number("longest_distance", one -> one.bin.longest())
        .number("tokens", one -> one.bin.count())
        .number("errors", one -> one.bin.count() - one.bin.right())
        .csv(
            scores.stream()
                .map(RecallScore::line)
                .flatMap(line -> line.distances().stream().map(bin -> new Binned(line, bin)))
                .toList());
  }
}
