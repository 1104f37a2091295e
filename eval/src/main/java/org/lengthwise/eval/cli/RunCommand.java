package org.lengthwise.eval.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.eval.experiment.Experiment;
import org.lengthwise.eval.experiment.RunQueue;
import org.lengthwise.eval.experiment.Slot;
import org.lengthwise.training.cli.CommandAgain;
import org.lengthwise.training.cli.StopSignals;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
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
      "SIGINT (Ctrl-C) and SIGTERM end the step, write a checkpoint and print the command",
      "that goes on; another one a second or more later ends at once.",
      "",
      "Example:",
      "  run --config conf/experiments/quickstart.yaml --set experiment.data=owt2 --output experiment"
    })
public final class RunCommand implements Callable<Integer> {
  private static final Logger LOG = LogManager.getLogger(RunCommand.class);

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

  @Option(
      names = "--queue",
      paramLabel = "LIST",
      description =
          "Runs side by side, one on each device: gpu:all, gpu:0,1, cpu:2 (two on the CPU). In place"
              + " of training.device and experiment.evaluation.device.")
  private @Nullable String queue;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "RUN",
      description = "Completes these runs alone, such as alibi-seed1, and writes no report.")
  private List<String> only = List.of();

  /** For the processes of a queue, which stop when the one that started them is gone. */
  @Option(names = "--stop-at-end-of-input", hidden = true)
  private boolean stopsAtEndOfInput;

  @Mixin private ReportOptions reporting = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public RunCommand() {}

  @Override
  public Integer call() throws IOException {
    try (StopSignals stop = new StopSignals()) {
      if (stopsAtEndOfInput) {
        stopAtEndOfInput(stop);
      }
      return queue == null ? inTurn(stop) : sideBySide(queue, stop);
    }
  }

  private int inTurn(StopSignals stop) throws IOException {
    Experiment experiment = Experiment.load(config, settings);
    boolean finished = experiment.complete(names(experiment), output, stop);
    return finished ? report(experiment) : stopped();
  }

  private int sideBySide(String devices, StopSignals stop) throws IOException {
    List<Slot> slots =
        Slot.listOf(devices, System.getenv(), Runtime.getRuntime().availableProcessors());
    Experiment experiment = Experiment.load(config, settingsOn(slots.get(0)));
    experiment.requireFeasible();
    List<String> names = names(experiment);
    RunQueue runs = new RunQueue(slots, this::commandOf, output.resolve("logs"));
    List<RunQueue.Failure> failures = runs.complete(names, stop);
    if (!failures.isEmpty()) {
      return failed(failures, names.size());
    }
    boolean finished = names.stream().allMatch(name -> experiment.isFinished(name, output));
    return finished ? report(experiment) : stopped();
  }

  private List<String> names(Experiment experiment) {
    return only.isEmpty() ? List.copyOf(experiment.runs().keySet()) : experiment.named(only);
  }

  /** Every slot's device has the same name for the process that runs there, or is of one kind. */
  private List<String> settingsOn(Slot slot) {
    List<String> all = new ArrayList<>(settings);
    all.add("training.device=" + slot.device());
    all.add("experiment.evaluation.device=" + slot.device());
    return all;
  }

  /** This command for one run alone, in a JVM like this one. */
  private List<String> commandOf(String run, Slot slot) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.addAll(List.of(Lengthwise.class.getName(), "run", "--stop-at-end-of-input"));
    words.addAll(List.of("--config", config.toString(), "--output", output.toString()));
    words.addAll(List.of("--only", run));
    settingsOn(slot).forEach(setting -> words.addAll(List.of("--set", setting)));
    return words;
  }

  private static void stopAtEndOfInput(StopSignals stop) {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // Nothing is said on the way to the end.
                }
              } catch (IOException e) {
                LOG.debug("input that cannot be read has ended", e);
              }
              stop.request();
            },
            "end-of-input");
    reader.setDaemon(true);
    reader.start();
  }

  private int report(Experiment experiment) throws IOException {
    if (only.isEmpty()) {
      Path report = experiment.report(output, reporting.resolve());
      PrintWriter out = spec.commandLine().getOut();
      out.println(Files.readString(report.resolve("table.md")));
      out.println(report.resolve("report.html"));
    }
    return ExitCode.OK;
  }

  private int stopped() {
    spec.commandLine()
        .getOut()
        .println("stopped; to go on:\n  " + CommandAgain.of(spec, List.of()));
    return ExitCode.OK;
  }

  /** The code that all failures share, or that of a fault. */
  private int failed(List<RunQueue.Failure> failures, int numRuns) {
    PrintWriter err = spec.commandLine().getErr();
    err.printf("lengthwise run: %d of %d runs failed%n", failures.size(), numRuns);
    for (RunQueue.Failure failure : failures) {
      err.printf(
          "  %s, exit code %d, %s: %s%n",
          failure.run(), failure.exitCode(), failure.log(), failure.lastWords());
    }
    err.println("to try these again and go on:\n  " + CommandAgain.of(spec, List.of()));
    err.flush();
    Set<Integer> codes =
        failures.stream().map(RunQueue.Failure::exitCode).collect(Collectors.toSet());
    int code = codes.iterator().next();
    return codes.size() == 1 && Lengthwise.isExitCode(code) ? code : ExitCode.SOFTWARE;
  }
}
