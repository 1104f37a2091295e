package org.lengthwise.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.report.ReportConfig;
import picocli.CommandLine.Option;

final class ReportOptions {
  @Option(
      names = "--report-config",
      paramLabel = "FILE",
      description = "The settings of intervals and verdicts. Default: conf/report.yaml.")
  private @Nullable Path config;

  @Option(
      names = "--report-set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one setting, such as bootstrap.seed=7. May be repeated.")
  private List<String> settings = List.of();

  ReportConfig resolve() {
    Path file = config == null ? Installation.conf("report.yaml") : config;
    return ConfigLoader.load(file, settings).bind(ReportConfig.class);
  }
}
