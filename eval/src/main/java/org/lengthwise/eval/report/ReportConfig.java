package org.lengthwise.eval.report;

import org.lengthwise.eval.statistics.Bootstrap;
import org.lengthwise.eval.statistics.VerdictRule;

/**
 * What decides the conclusions of a report.
 *
 * @param bootstrap how intervals are found
 * @param verdict when a scheme counts as extrapolating
 */
public record ReportConfig(Bootstrap bootstrap, VerdictRule verdict) {}
