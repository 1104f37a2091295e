package org.lengthwise.eval.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.lengthwise.eval.report.Report;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lengthwise report}: finished results to tables, plots and one page. */
@Command(
    name = "report",
    description = {
      "Turns finished results into table.csv, table.md, table.tex, plots (SVG and PNG) and"
          + " report.html.",
      "An earlier report in the output folder is replaced."
    },
    footer = {"", "Example:", "  report --results results --output report"})
public final class ReportCommand implements Callable<Integer> {
  @Option(
      names = "--results",
      required = true,
      arity = "1..*",
      paramLabel = "DIR",
      description = "Folders with results, searched at any depth; only those marked DONE count.")
  private List<Path> results = List.of();

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "Where the report goes.")
  private Path output = Path.of("");

  @Mixin private ReportOptions options = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public ReportCommand() {}

  @Override
  public Integer call() throws IOException {
    Report.under(results, options.resolve()).write(output);
    spec.commandLine().getOut().println(output.resolve(Report.PAGE));
    return 0;
  }
}
