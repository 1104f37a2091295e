package org.lengthwise.eval.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.eval.report.LossPlot;
import org.lengthwise.eval.report.RunMetrics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lengthwise plot}: the loss curves of runs. */
@Command(
    name = "plot",
    sortOptions = false,
    description = {
      "Draws the training and validation loss of runs, finished or not, into one plot: loss.svg",
      "and loss.png. Earlier ones in the output folder are replaced."
    },
    footer = {"", "Example:", "  plot --metrics runs/alibi runs/t5 --output plots --log-y"})
public final class PlotCommand implements Callable<Integer> {
  @Option(
      names = "--metrics",
      required = true,
      arity = "1..*",
      paramLabel = "DIR",
      description = "Runs' folders, each with its metrics.jsonl.")
  private List<Path> folders = List.of();

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "Where the plot goes.")
  private Path output = Path.of("");

  @Option(
      names = "--against",
      defaultValue = "steps",
      paramLabel = "NAME",
      description = "What the x axis counts: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private LossPlot.Against against = LossPlot.Against.STEPS;

  @Option(names = "--log-x", description = "Makes the x axis logarithmic.")
  private boolean logX;

  @Option(names = "--log-y", description = "Makes the y axis logarithmic.")
  private boolean logY;

  @Option(
      names = "--smoothing",
      defaultValue = "0.9",
      paramLabel = "FACTOR",
      description =
          "The weight of the past in the mean of the training loss, 0 for none (default:"
              + " ${DEFAULT-VALUE}).")
  private double smoothing;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public PlotCommand() {}

  @Override
  public Integer call() throws IOException {
    LossPlot plot = plot();
    List<RunMetrics> runs = new ArrayList<>();
    for (Path folder : folders) {
      runs.add(RunMetrics.read(folder));
    }
    plot.write(runs, output).forEach(spec.commandLine().getOut()::println);
    return 0;
  }

  private LossPlot plot() {
    try {
      return new LossPlot(against, logX, logY, smoothing);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "--smoothing", "at least 0 and less than 1", String.valueOf(smoothing), "try 0.9", e);
    }
  }
}
