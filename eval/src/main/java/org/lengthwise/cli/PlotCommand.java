package org.lengthwise.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.lengthwise.error.ConfigException;
import org.lengthwise.plot.Picture;
import org.lengthwise.report.training.LossChart;
import org.lengthwise.report.training.RunMetrics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "plot",
    sortOptions = false,
    header = "Draws the loss curves of runs.",
    description =
        "Draws the training and validation loss of finished and unfinished runs into one plot,"
            + " loss.svg and loss.png. Replaces an earlier plot in the output folder.",
    footer = {"", "Example:", "  plot --metrics runs/alibi runs/t5 --output plots --log-y"})
public final class PlotCommand implements Callable<Integer> {
  @Option(
      names = "--metrics",
      required = true,
      arity = "1..*",
      paramLabel = "DIR",
      description = "The folders of the runs, each with a metrics.jsonl.")
  private List<Path> folders = List.of();

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "The folder of the plot.")
  private Path output = Path.of("");

  @Option(
      names = "--against",
      defaultValue = "steps",
      paramLabel = "NAME",
      description = "The unit of the x axis: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private LossChart.Against against = LossChart.Against.STEPS;

  @Option(names = "--log-x", description = "Makes the x axis logarithmic.")
  private boolean logX;

  @Option(names = "--log-y", description = "Makes the y axis logarithmic.")
  private boolean logY;

  @Option(
      names = "--smoothing",
      defaultValue = "0.9",
      paramLabel = "FACTOR",
      description =
          "The weight of earlier steps in the moving average of the training loss, 0 for no"
              + " smoothing. Default: ${DEFAULT-VALUE}.")
  private double smoothing;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    LossChart chart = chart();
    List<RunMetrics> runs = new ArrayList<>();
    for (Path folder : folders) {
      runs.add(RunMetrics.read(folder));
    }
    new Picture(chart.of(runs)).write(output).forEach(spec.commandLine().getOut()::println);
    return 0;
  }

  private LossChart chart() {
    try {
      return new LossChart(against, logX, logY, smoothing);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "--smoothing", "at least 0 and less than 1", String.valueOf(smoothing), "try 0.9", e);
    }
  }
}
