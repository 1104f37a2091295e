package org.lengthwise.eval.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.lengthwise.eval.experiment.Experiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lengthwise run}: an experiment file to a report. */
@Command(
    name = "run",
    description = {
      "Runs a whole experiment: every scheme and seed through training, evaluation, receptive",
      "field and report. Interrupted and started again, it goes on where it was."
    },
    footer = {
      "",
      "Example:",
      "  run --config conf/experiments/quickstart.yaml --set experiment.data=owt2 --output experiment"
    })
public final class RunCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The experiment, such as conf/experiments/quickstart.yaml.")
  private Path config = Path.of("");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one key, such as experiment.data=DIR; may be repeated.")
  private List<String> settings = List.of();

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "The experiment's folder.")
  private Path output = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public RunCommand() {}

  @Override
  public Integer call() throws IOException {
    Path report = Experiment.load(config, settings).complete(output);
    PrintWriter out = spec.commandLine().getOut();
    out.println(Files.readString(report.resolve("table.md")));
    out.println(report.resolve("report.html"));
    return 0;
  }
}
