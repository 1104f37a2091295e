package org.lengthwise.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.lengthwise.report.Report;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "report",
    sortOptions = false,
    header = "Turns finished results into tables, plots and a web page.",
    description =
        "Writes table.csv, table.md, table.tex, plots (SVG and PNG) and report.html. Replaces an"
            + " earlier report in the output folder.",
    footer = {"", "Example:", "  report --results results --output report"})
public final class ReportCommand implements Callable<Integer> {
  @Option(
      names = "--results",
      required = true,
      arity = "1..*",
      paramLabel = "DIR",
      description =
          "The folders with results, searched at any depth. Results without DONE are skipped.")
  private List<Path> results = List.of();

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "The folder of the report.")
  private Path output = Path.of("");

  @Mixin private ReportOptions options = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Report.under(results, options.resolve()).write(output);
    spec.commandLine().getOut().println(output.resolve(Report.PAGE));
    return 0;
  }
}
