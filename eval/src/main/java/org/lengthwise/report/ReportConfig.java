package org.lengthwise.report;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.report.perplexity.PaperColumn;
import org.lengthwise.report.perplexity.PerplexityRules;
import org.lengthwise.statistics.AccuracyRule;
import org.lengthwise.statistics.Bootstrap;
import org.lengthwise.statistics.ContextRule;
import org.lengthwise.statistics.DocumentEndRule;
import org.lengthwise.statistics.PowerRule;
import org.lengthwise.statistics.VerdictRule;
import org.lengthwise.statistics.WordRule;

/**
 * The settings of a report.
 *
 * @param bootstrap how intervals are computed
 * @param verdict the rule that decides whether a scheme extrapolates
 * @param words the rule that turns differences into words
 * @param accuracy the rule that turns the accuracy on strings into words
 * @param context the rule that finds the tokens that need context
 * @param documentEnd the rule that finds the last tokens of documents
 * @param power the rule that plans targets and seeds
 * @param paperColumns the column of the paper's Table 3 that each run is compared with, for runs
 *     whose scheme does not determine the column
 */
public record ReportConfig(
    Bootstrap bootstrap,
    VerdictRule verdict,
    WordRule words,
    @AbsentMeans("{\"solved\":99.95,\"margin\":2.5}") AccuracyRule accuracy,
    @AbsentMeans("{\"margin\":0.5}") ContextRule context,
    @AbsentMeans("{\"last\":64}") DocumentEndRule documentEnd,
    @AbsentMeans("{\"ratio\":1.02,\"probability\":0.8}") PowerRule power,
    List<PaperColumn> paperColumns) {
  public ReportConfig {
    paperColumns = List.copyOf(paperColumns);
  }

  /** {@return these settings with the shards of an experiment, unless they name some} */
  public ReportConfig withShards(@Nullable String data) {
    return documentEnd.data() != null
        ? this
        : new ReportConfig(
            bootstrap,
            verdict,
            words,
            accuracy,
            context,
            new DocumentEndRule(data, documentEnd.last()),
            power,
            paperColumns);
  }

  PerplexityRules ofPerplexity() {
    return new PerplexityRules(
        bootstrap, verdict, words, context, documentEnd, power, paperColumns);
  }
}
