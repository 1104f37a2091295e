package org.lengthwise.report.perplexity;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.statistics.ContextRule;

/** The perplexity of the tokens that need context, by a {@link ContextRule}. */
final class ContextTable {
  private final PerplexityTable table;
  private final IndividualScores scores;
  private final Column reference;
  private final Set<Long> targets;

  private ContextTable(
      PerplexityTable table, IndividualScores scores, Column reference, Set<Long> targets) {
    this.table = table;
    this.scores = scores;
    this.reference = reference;
    this.targets = targets;
  }

  /** The table of a protocol that scores the same tokens at all lengths; empty without targets. */
  static Optional<TableText> of(PerplexityTable table, IndividualScores scores, ContextRule rule) {
    int shortest = table.runs().stream().mapToInt(Column::trainLength).min().orElse(0);
    int longest = table.lengths().stream().mapToInt(Integer::intValue).max().orElse(0);
    return reference(table, rule, longest)
        .flatMap(
            run ->
                scores
                    .of(run.run(), table.protocol(), shortest)
                    .flatMap(
                        before ->
                            scores.of(run.run(), table.protocol(), longest).flatMap(before::minus))
                    .map(fall -> fall.endsAbove(rule.margin()))
                    .filter(targets -> !targets.isEmpty())
                    .map(targets -> new ContextTable(table, scores, run, targets)))
        .map(context -> context.text(shortest, longest, rule.margin()));
  }

  private static Optional<Column> reference(PerplexityTable table, ContextRule rule, int longest) {
    return table.runs().stream()
        .filter(column -> rule.run() == null || column.run().equals(rule.run()))
        .filter(column -> table.cell(column, longest).isPresent())
        .min(Comparator.comparingDouble(run -> table.cell(run, longest).orElseThrow().ofMeanNll()));
  }

  private TableText text(int shortest, int longest, double margin) {
    return table.text(
        "Perplexity of tokens that need context",
        this::entry,
        List.of(
            ("The %s whose negative log-likelihood under %s, the mean over its seeds, falls by more"
                    + " than %s nats from length %s to %s. The choice favours that run itself.")
                .formatted(
                    Numbers.count(targets.size()) + " targets",
                    reference.heading(),
                    PerplexityNumbers.plain(margin),
                    Numbers.count(shortest),
                    Numbers.count(longest))));
  }

  private Entry entry(Column column, int length) {
    return PerplexityNumbers.entry(
        scores.of(column.run(), table.protocol(), length).flatMap(all -> all.at(targets)));
  }
}
