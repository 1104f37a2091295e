package org.lengthwise.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lengthwise.automaton.Automaton;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.automaton.PaperTask;
import org.lengthwise.automaton.RegularTask;
import org.lengthwise.automaton.Sampler;
import org.lengthwise.config.Checks;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.accuracy.Draw;
import org.lengthwise.random.RandomStreams;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "task",
    sortOptions = false,
    header = "Draws strings of a task with answers, or labels strings.",
    description =
        "A regular task is one of the paper's twelve, or an automaton of your own. The automaton"
            + " computes the label from the ids. A recall task asks for tokens of the string; its"
            + " rule computes targets and distances from the ids.",
    footer = {
      "",
      "Example:",
      "  task --name parity_check --length 20 --count 100 --seed 1 --json",
      "  task --name tomita_3 --label < strings.jsonl",
      "  task --name mqar --length 64 --count 100 --seed 1 --set task.pairs=8 --json"
    })
public final class TaskCommand implements Callable<Integer> {
  private final InputStream in;
  private final ObjectMapper mapper = ConfigLoader.strictMapper();

  @ArgGroup(multiplicity = "1")
  private Subject subject = new Subject();

  @ArgGroup private @Nullable Work work;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Overrides a key of a recall task's file in conf/task, such as task.pairs=8. May be"
              + " repeated.")
  private List<String> settings = List.of();

  @Option(names = "--json", description = "Prints a line of JSON for each string, as --label does.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  public TaskCommand() {
    this(System.in);
  }

  public TaskCommand(InputStream in) {
    this.in = in;
  }

  private static final class Subject {
    @ArgGroup private @Nullable TaskOption task;

    @Option(
        names = "--list",
        required = true,
        description = "Prints the name of each task, what it asks, its source and its chance.")
    private boolean list;
  }

  private static final class Work {
    @Option(
        names = "--label",
        required = true,
        description =
            "Reads lines {\"ids\":[...]} from the standard input and prints them with their"
                + " labels.")
    private boolean label;

    @ArgGroup(exclusive = false)
    private @Nullable Draws draws;
  }

  private static final class Draws {
    @Option(
        names = "--length",
        required = true,
        paramLabel = "T",
        description = "The length of a string as its task counts it.")
    private int length;

    @Option(
        names = "--count",
        required = true,
        paramLabel = "N",
        description = "The number of strings.")
    private int count;

    @Option(
        names = "--seed",
        required = true,
        paramLabel = "N",
        description = "The seed of the draws.")
    private long seed;

    @Option(
        names = "--negatives",
        defaultValue = "uniform",
        paramLabel = "NAME",
        description =
            "How strings outside a language are drawn: ${COMPLETION-CANDIDATES}. Default:"
                + " ${DEFAULT-VALUE}.")
    private Negatives negatives = Negatives.UNIFORM;

    @Option(
        names = "--p",
        defaultValue = "0.5",
        paramLabel = "P",
        description = "The probability of b in parity_check. Default: ${DEFAULT-VALUE}.")
    private double p;
  }

  @SuppressWarnings("ArrayRecordComponent") // Read and never compared.
  record Unlabelled(int[] ids) {
    Unlabelled {
      Objects.requireNonNull(ids, "no list of ids");
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // Written and never compared.
  private record Labelled(int[] ids, int label) {}

  @Override
  public Integer call() throws IOException {
    if (subject.list) {
      if (json || !settings.isEmpty() || work != null) {
        throw new ConfigException("--list", "no other options", "some", "omit them");
      }
      RecallLines.list(out());
      return 0;
    }
    TaskOption task = Objects.requireNonNull(subject.task);
    if (work == null) {
      throw new ConfigException(
          "task", "--length, --count and --seed, or --label", "neither", "add the options");
    }
    try {
      if (task.recall() != null) {
        recall(task.recall(), work);
      } else if (!settings.isEmpty()) {
        throw new ConfigException(
            "--set", "none for a regular task", settings.toString(), "omit the option");
      } else if (work.label) {
        label(task.automaton());
      } else {
        draw(task, Objects.requireNonNull(work.draws));
      }
    } catch (InvalidValueException e) {
      throw e.ofOption();
    }
    return 0;
  }

  private void recall(String name, Work work) throws IOException {
    RecallLines lines = RecallLines.of(name, settings, out());
    if (work.draws == null) {
      lines.label(in);
      return;
    }
    Draws draws = work.draws;
    if (draws.negatives != Negatives.UNIFORM || draws.p != PaperTask.FAIR) {
      throw new ConfigException(
          "--negatives and --p", "none for a recall task", "other values", "use --set task.KEY");
    }
    Checks.atLeast("count", draws.count, 1);
    lines.draw(draws.length, draws.count, draws.seed, json);
  }

  private void draw(TaskOption task, Draws draws) throws IOException {
    Checks.atLeast("length", draws.length, 1);
    Checks.atLeast("count", draws.count, 1);
    RegularTask drawn = task.task(draws.negatives, draws.p);
    Sampler.Draw draw = drawn.sampler().at(draws.length);
    RandomStreams streams = new RandomStreams(draws.seed);
    String stream = new Draw(draws.negatives, draws.p).stream(draws.length);
    for (int i = 0; i < draws.count; i++) {
      int[] ids = draw.string(i, streams.stream(stream + i));
      out().println(json ? json(drawn.automaton(), ids) : text(drawn.automaton(), ids));
    }
  }

  private static String text(Automaton automaton, int[] ids) {
    return Arrays.stream(ids)
        .mapToObj(automaton.symbols()::get)
        .collect(Collectors.joining(" ", "", "\t" + automaton.label(ids)));
  }

  private String json(Automaton automaton, int[] ids) throws JsonProcessingException {
    return mapper.writeValueAsString(new Labelled(ids, automaton.label(ids)));
  }

  private void label(Automaton automaton) throws IOException {
    RecallLines.visit(
        in,
        line -> {
          Unlabelled read = mapper.readValue(line, Unlabelled.class);
          if (read == null) {
            throw new InvalidValueException("ids", "ids of a string", line);
          }
          out().println(json(automaton, read.ids()));
        });
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
