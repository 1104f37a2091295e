package org.lengthwise.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.Count;
import org.lengthwise.experiment.Experiment;
import org.lengthwise.experiment.RunQueue;
import org.lengthwise.experiment.Slot;
import org.lengthwise.progress.Allocation;
import org.lengthwise.training.cli.RepeatCommand;
import org.lengthwise.training.cli.StopSignals;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "run",
    sortOptions = false,
    header = "Runs a whole experiment, from training to the report.",
    description =
        "Trains every scheme with every seed, measures the models and writes the report. Finished"
            + " parts are skipped. If the command is interrupted, the same command resumes.",
    footer = {
      "",
      "SIGINT (Ctrl-C) or SIGTERM finishes the current step, writes a checkpoint, prints the"
          + " command that resumes, and ends with exit code 75. A second signal, at least one second"
          + " later, ends the process immediately.",
      "",
      "Example:",
      "  run --config conf/experiments/quickstart.yaml --set experiment.data=owt2",
      "      --output experiment"
    })
public final class RunCommand implements Callable<Integer> {
  private static final Logger LOG = LogManager.getLogger(RunCommand.class);
  private static final String NO_QUEUE = "none";

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The experiment file, such as conf/experiments/quickstart.yaml.")
  private Path config = Path.of("");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one key, such as experiment.data=DIR. May be repeated.")
  private List<String> settings = List.of();

  @ArgGroup(multiplicity = "1")
  private Purpose purpose = new Purpose();

  @Option(
      names = "--queue",
      paramLabel = "LIST",
      description =
          "Trains several runs at the same time, one on each device: gpu:all, gpu:0,1 or cpu:2 (two"
              + " on the CPU); gpu:0*4 runs four on one GPU. Replaces training.device and the device of the measurements. none:"
              + " one run after the other. Default: cpu:2 on a CPU with two cores and enough"
              + " memory, unless OMP_NUM_THREADS is set; else none.")
  private @Nullable String queue;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "RUN",
      description =
          "Completes only these runs or trials, such as alibi-seed1 or alibi-trial3, and writes no"
              + " report. baselines: the n-gram models of the experiment.")
  private List<String> only = List.of();

  @Option(
      names = "--dry-run",
      description =
          "Estimates the time of each run that is not finished, from a few steps and passes of its"
              + " model, and runs nothing. A run that has begun counts whole.")
  private boolean dryRun;

  /** Set for the child processes of a queue: they stop when their parent ends. */
  @Option(names = "--stop-at-end-of-input", hidden = true)
  private boolean stopsAtEndOfInput;

  /** For the processes of a queue. */
  @Option(names = "--device", hidden = true)
  private @Nullable String device;

  @Mixin private ReportOptions reporting = new ReportOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  private static final class Purpose {
    @Option(
        names = "--output",
        required = true,
        paramLabel = "DIR",
        description = "The folder of the experiment.")
    private Path output = Path.of("");

    @Option(
        names = "--list",
        required = true,
        description =
            "Prints the names of trials and runs, one per line, and runs nothing. One is baselines if"
                + " the experiment has n-gram models. Names after an empty line wait for those"
                + " above.")
    private boolean listed;

    @Option(
        names = "--unfinished",
        required = true,
        paramLabel = "DIR",
        description =
            "Prints the names of the runs that are not finished in this folder, and runs nothing. The"
                + " data must exist unless all are finished.")
    private @Nullable Path unfinished;
  }

  @Override
  public Integer call() throws IOException {
    if (purpose.listed || purpose.unfinished != null) {
      Experiment experiment = Experiment.load(config, settings);
      List<String> listed =
          names(experiment).stream()
              .filter(name -> !isFinished(experiment, name, purpose.unfinished))
              .toList();
      if (purpose.unfinished != null && !listed.isEmpty()) {
        experiment.requireData();
      }
      String between = purpose.listed ? "\n\n" : "\n";
      experiment.inTurn(listed).stream()
          .map(group -> String.join("\n", group))
          .reduce((above, below) -> above + between + below)
          .ifPresent(spec.commandLine().getOut()::println);
      return ExitCode.OK;
    }
    LOG.info("{}", Allocation.current());
    try (StopSignals stop = new StopSignals()) {
      if (stopsAtEndOfInput) {
        stopAtEndOfInput(stop);
      }
      Experiment experiment =
          device == null
              ? Experiment.load(config, settings)
              : Experiment.load(config, settings, device);
      Optional<String> devices = devices(experiment);
      if (dryRun) {
        return estimate(experiment, devices);
      }
      if (only.isEmpty()) {
        LOG.info("the report will be {}", Experiment.reportFolder(purpose.output));
      }
      return devices.isPresent() ? sideBySide(devices.get(), stop) : inTurn(experiment, stop);
    }
  }

  private static boolean isFinished(Experiment experiment, String name, @Nullable Path folder) {
    return folder != null && experiment.isFinished(name, folder);
  }

  private Optional<String> devices(Experiment experiment) throws IOException {
    if (queue != null) {
      return queue.equals(NO_QUEUE) ? Optional.empty() : Optional.of(queue);
    }
    long numOpen =
        names(experiment).stream()
            .filter(name -> !name.equals(Experiment.BASELINES))
            .filter(name -> !experiment.isFinished(name, purpose.output))
            .count();
    if (device != null || numOpen < 2 || !experiment.isOnOneCpu() || !prefersTwo(experiment)) {
      return Optional.empty();
    }
    LOG.info(
        "two runs at a time with one thread each, which is faster on two cores; --queue {}: one"
            + " after the other",
        NO_QUEUE);
    return Optional.of("cpu:2");
  }

  private static boolean prefersTwo(Experiment experiment) throws IOException {
    return Slot.prefersTwo(
        experiment.largestRunBytes(),
        System.getenv(),
        Runtime.getRuntime().availableProcessors(),
        Allocation.current().memoryBytes());
  }

  /** On the threads and the device of a run in the queue. */
  private int estimate(Experiment experiment, Optional<String> devices) throws IOException {
    List<Slot> slots = List.of();
    Experiment timed = experiment;
    if (devices.isPresent()) {
      slots = slots(devices.get());
      slots.get(0).takeThreads();
      timed = Experiment.load(config, settings, slots.get(0).device());
    }
    List<String> open =
        names(timed).stream().filter(name -> !experiment.isFinished(name, purpose.output)).toList();
    PrintWriter out = spec.commandLine().getOut();
    int width = open.stream().mapToInt(String::length).max().orElse(0);
    String line = "%-" + Math.max(width, "column".length()) + "s %5s %9s %9s %9s%n";
    out.printf(line, "column", "runs", "training", "measuring", "together");
    double[] seconds = {0};
    timed.estimate(
        open,
        times -> {
          seconds[0] += times.seconds();
          out.printf(
              line,
              times.name(),
              times.numRuns(),
              clock(times.training()),
              clock(times.measuring()),
              clock(times.seconds()));
          out.flush();
        });
    int numSlots = Math.max(1, Math.min(slots.size(), open.size()));
    out.printf(
        "about %s%s; baselines and the report are not counted%n",
        clock(seconds[0] / numSlots),
        numSlots > 1
            ? ", %s runs at a time, %s of one".formatted(numSlots, clock(seconds[0]))
            : "");
    return ExitCode.OK;
  }

  private static String clock(double seconds) {
    return Count.clock(Duration.ofSeconds(Math.round(seconds)));
  }

  private static List<Slot> slots(String devices) {
    return Slot.listOf(devices, System.getenv(), Runtime.getRuntime().availableProcessors());
  }

  private int inTurn(Experiment experiment, StopSignals stop) throws IOException {
    List<String> names =
        experiment.inTurn(names(experiment)).stream().flatMap(List::stream).toList();
    boolean finished = experiment.complete(names, purpose.output, stop);
    return finished ? report(experiment) : stopped();
  }

  private int sideBySide(String devices, StopSignals stop) throws IOException {
    List<Slot> slots = slots(devices);
    // Each child process sees its device under the same name (gpu:0 or cpu).
    Experiment experiment = Experiment.load(config, settings, slots.get(0).device());
    experiment.requireFeasible();
    List<String> names = names(experiment);
    List<String> open =
        names.stream().filter(name -> !experiment.isFinished(name, purpose.output)).toList();
    if (!open.isEmpty()) {
      LOG.info(
          "{}, {} at a time",
          Count.of(open.size(), open.size() == names.size() ? "run" : "more run"),
          slots.size());
    }
    RunQueue runs =
        new RunQueue(
            slots,
            this::commandOf,
            purpose.output.resolve("logs"),
            run -> experiment.logNewPerplexities(run, purpose.output));
    List<String> ended = names.stream().filter(name -> !open.contains(name)).toList();
    // Whether settings have changed is checked here, since a process takes seconds to start.
    List<String> checked =
        ended.stream().filter(name -> experiment.canBegin(name, purpose.output)).toList();
    if (!experiment.complete(checked, purpose.output, stop)) {
      return stopped();
    }
    for (List<String> group : experiment.inTurn(names)) {
      List<String> later =
          group.stream().filter(ended::contains).filter(name -> !checked.contains(name)).toList();
      if (!experiment.complete(later, purpose.output, stop)) {
        return stopped();
      }
      List<String> others = group.stream().filter(open::contains).toList();
      List<RunQueue.Failure> failures = runs.complete(others, stop);
      if (!failures.isEmpty()) {
        return failed(failures, others.size());
      }
      if (stop.getAsBoolean()) {
        return stopped();
      }
    }
    boolean finished = names.stream().allMatch(name -> experiment.isFinished(name, purpose.output));
    return finished ? report(experiment) : stopped();
  }

  /** The named trials and runs, or all. */
  private List<String> names(Experiment experiment) {
    return only.isEmpty() ? experiment.names() : experiment.named(only);
  }

  /** The command for one run in a JVM like this one. */
  private List<String> commandOf(String run, Slot slot) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.addAll(List.of(Lengthwise.class.getName(), "run", "--stop-at-end-of-input"));
    words.addAll(List.of("--config", config.toString(), "--output", purpose.output.toString()));
    words.addAll(List.of("--only", run));
    words.addAll(List.of("--device", slot.device()));
    settings.forEach(setting -> words.addAll(List.of("--set", setting)));
    return words;
  }

  private static void stopAtEndOfInput(StopSignals stop) {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // The input has no data. Only its end has a meaning.
                }
              } catch (IOException e) {
                LOG.debug("input that cannot be read counts as ended", e);
              }
              stop.request();
            },
            "end-of-input");
    reader.setDaemon(true);
    reader.start();
  }

  private int report(Experiment experiment) throws IOException {
    if (!only.isEmpty()) {
      return ExitCode.OK;
    }
    Path report = experiment.report(purpose.output, reporting.resolve());
    PrintWriter out = spec.commandLine().getOut();
    out.println(Files.readString(report.resolve("table.md")));
    out.println("Open in a browser: " + report.resolve("report.html"));
    return ExitCode.OK;
  }

  private int stopped() {
    spec.commandLine()
        .getOut()
        .println("stopped; to resume:\n  " + RepeatCommand.of(spec, List.of()));
    return StopSignals.STOPPED;
  }

  /** Lists the failures. Returns their exit code if all have the same one, else 1. */
  private int failed(List<RunQueue.Failure> failures, int numRuns) {
    PrintWriter err = spec.commandLine().getErr();
    err.printf("lengthwise run: %s of %s failed%n", failures.size(), Count.of(numRuns, "run"));
    for (RunQueue.Failure failure : failures) {
      err.printf(
          "  %s, exit code %s, %s: %s%n",
          failure.run(), failure.exitCode(), failure.log(), failure.lastLine());
    }
    err.println("to retry these runs:\n  " + RepeatCommand.of(spec, List.of()));
    err.flush();
    Set<Integer> codes =
        failures.stream().map(RunQueue.Failure::exitCode).collect(Collectors.toSet());
    int code = codes.iterator().next();
    return codes.size() == 1 && Lengthwise.isExitCode(code) ? code : ExitCode.SOFTWARE;
  }
}
