package org.lengthwise.eval.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.eval.report.ReportConfig;
import picocli.CommandLine.Option;

/** The options by which reports are configured. */
final class ReportOptions {
  @Option(
      names = "--report-config",
      paramLabel = "FILE",
      description = "How intervals and verdicts are found; conf/report.yaml unless named.")
  private @Nullable Path config;

  @Option(
      names = "--report-set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one key, such as verdict.tolerated_ratio=1.02; may be repeated.")
  private List<String> settings = List.of();

  ReportConfig resolve() {
    Path file = config == null ? Installation.conf("report.yaml") : config;
    return ConfigLoader.load(file, settings).bind(ReportConfig.class);
  }
}
