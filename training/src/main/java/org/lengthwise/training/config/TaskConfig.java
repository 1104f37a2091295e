package org.lengthwise.training.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lengthwise.automaton.Automaton;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.automaton.PaperTask;
import org.lengthwise.automaton.RegularTask;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;

/**
 * The regular task of a run that labels strings instead of predicting a text.
 *
 * @param name a task of the paper, or a name for the automaton
 * @param automaton a user's automaton; null for a task of the paper
 * @param lengths the shortest and the longest training length; each step draws one of them
 * @param negatives how strings outside a language are drawn; uniform if not stated
 * @param p the probability of b in parity_check, 0.5 for all other tasks and if not stated
 */
public record TaskConfig(
    String name,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans(value = "null", inYaml = true)
        @Nullable Automaton automaton,
    List<Integer> lengths,
    @AbsentMeans(value = "\"uniform\"", inYaml = true) Negatives negatives,
    @AbsentMeans(value = "0.5", inYaml = true) double p) {

  /** Requires a range of lengths, and a task that has the chosen negatives and p. */
  public TaskConfig {
    lengths = List.copyOf(lengths);
    Checks.require(
        lengths.size() == 2 && lengths.get(0) >= 1 && lengths.get(0) <= lengths.get(1),
        "lengths",
        "the shortest and the longest length, such as [1, 40]",
        lengths);
    task(name, automaton, negatives, p);
  }

  /** {@return the shortest training length in symbols, at least 1} */
  public int shortest() {
    return lengths.get(0);
  }

  /** {@return the longest training length in symbols} */
  public int longest() {
    return lengths.get(1);
  }

  /** {@return the task: its automaton and its sampler} */
  public RegularTask task() {
    return task(name, automaton, negatives, p);
  }

  /**
   * {@return the task with other strings, or empty if it does not have the choice}
   *
   * @param otherNegatives how strings outside a language are drawn
   * @param otherP the probability of b in parity_check
   */
  public Optional<RegularTask> drawn(Negatives otherNegatives, double otherP) {
    try {
      return Optional.of(task(name, automaton, otherNegatives, otherP));
    } catch (InvalidValueException e) {
      return Optional.empty();
    }
  }

  private static RegularTask task(
      String name, @Nullable Automaton automaton, Negatives negatives, double p) {
    return automaton == null
        ? PaperTask.named(name).with(negatives, p)
        : RegularTask.of(name, automaton, negatives, p);
  }
}
