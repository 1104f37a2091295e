package org.lengthwise.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lengthwise.automaton.Automaton;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.automaton.PaperTask;
import org.lengthwise.automaton.RegularTask;
import org.lengthwise.recall.DrawnTask;
import org.lengthwise.training.config.RegularConfig;
import picocli.CommandLine.Option;

/** The task: exactly one of the options. */
final class TaskOption {
  /** The name of a task that an automaton in a file defines. */
  private static final String OWN = "automaton";

  @Option(
      names = "--name",
      required = true,
      paramLabel = "NAME",
      description =
          "A regular task, such as parity_check, d_2 or tomita_3, or for the command task also a"
              + " recall task, such as mqar.")
  private @Nullable String name;

  @Option(
      names = "--automaton",
      required = true,
      paramLabel = "FILE",
      description = "An automaton in YAML: the keys symbols, transitions and labels.")
  private @Nullable Path file;

  /** The name of a recall task; null for any other task. */
  @Nullable String recall() {
    return name != null && DrawnTask.names().contains(name) ? name : null;
  }

  Automaton automaton() {
    return name == null
        ? Automaton.read(Objects.requireNonNull(file))
        : PaperTask.named(name).automaton();
  }

  RegularTask task(Negatives negatives, double p) {
    return name == null
        ? RegularTask.of(OWN, automaton(), negatives, p)
        : PaperTask.named(name).with(negatives, p);
  }

  /** The task as a checkpoint describes it, with uniform negatives. */
  RegularConfig described(List<Integer> lengths) {
    return new RegularConfig(
        name == null ? OWN : name,
        name == null ? automaton() : null,
        lengths,
        Negatives.UNIFORM,
        PaperTask.FAIR);
  }
}
