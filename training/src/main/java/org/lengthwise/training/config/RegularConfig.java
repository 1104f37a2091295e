package org.lengthwise.training.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.automaton.Automaton;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.automaton.PaperTask;
import org.lengthwise.automaton.RegularTask;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.config.Unit;
import org.lengthwise.recall.DrawnTask;

/**
 * The regular task of a run that labels strings instead of predicting a text.
 *
 * @param name a task of the paper; with {@code automaton}, any name for it
 * @param automaton a user's automaton; absent for a task of the paper
 * @param lengths the shortest and the longest training length; each step draws one of them
 * @param negatives how strings outside a language are drawn
 * @param p the probability of b in parity_check; all other tasks need 0.5
 */
@JsonDeserialize(using = JsonDeserializer.None.class)
public record RegularConfig(
    String name,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Automaton automaton,
    @Unit("symbols") List<Integer> lengths,
    @AbsentMeans("\"uniform\"") Negatives negatives,
    @AbsentMeans("0.5") double p)
    implements TaskConfig {

  public RegularConfig {
    lengths = List.copyOf(lengths);
    Checks.require(
        lengths.size() == 2 && lengths.get(0) >= 1 && lengths.get(0) <= lengths.get(1),
        "lengths",
        "the shortest and the longest length, such as [1, 40]",
        lengths);
    task(name, automaton, negatives, p);
  }

  @Override
  public int shortest() {
    return lengths.get(0);
  }

  @Override
  public int longest() {
    return lengths.get(1);
  }

  @Override
  public IntStream trainedTokens() {
    return IntStream.rangeClosed(shortest(), longest());
  }

  @Override
  public int longestTokens() {
    return task().sampler().numSymbols(longest());
  }

  @Override
  public boolean allowsLaterKeys() {
    return true;
  }

  public RegularTask task() {
    return task(name, automaton, negatives, p);
  }

  /** {@return the task with other strings, or empty if it does not have the choice} */
  public Optional<RegularTask> drawn(Negatives otherNegatives, double otherP) {
    try {
      return Optional.of(task(name, automaton, otherNegatives, otherP));
    } catch (InvalidValueException e) {
      return Optional.empty();
    }
  }

  private static RegularTask task(
      String name, @Nullable Automaton automaton, Negatives negatives, double p) {
    if (automaton != null) {
      return RegularTask.of(name, automaton, negatives, p);
    }
    Checks.oneOf(
        "name",
        name,
        Stream.concat(
                Arrays.stream(PaperTask.values()).map(PaperTask::label), DrawnTask.names().stream())
            .toList());
    return PaperTask.named(name).with(negatives, p);
  }
}
