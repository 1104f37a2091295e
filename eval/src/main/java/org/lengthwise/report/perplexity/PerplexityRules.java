package org.lengthwise.report.perplexity;

import java.util.List;
import org.lengthwise.statistics.Bootstrap;
import org.lengthwise.statistics.ContextRule;
import org.lengthwise.statistics.DocumentEndRule;
import org.lengthwise.statistics.PowerRule;
import org.lengthwise.statistics.VerdictRule;
import org.lengthwise.statistics.WordRule;

/**
 * The settings of this part of a report.
 *
 * @param paperColumns the column of the paper's Table 3 that each run is compared with, for runs
 *     whose scheme does not determine the column
 */
public record PerplexityRules(
    Bootstrap bootstrap,
    VerdictRule verdict,
    WordRule words,
    ContextRule context,
    DocumentEndRule documentEnd,
    PowerRule power,
    List<PaperColumn> paperColumns) {
  public PerplexityRules {
    paperColumns = List.copyOf(paperColumns);
  }
}
