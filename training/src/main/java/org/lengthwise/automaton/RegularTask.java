package org.lengthwise.automaton;

import java.util.List;
import java.util.stream.IntStream;
import org.lengthwise.config.Checks;

/**
 * A task: strings with one label each.
 *
 * @param rules rules without states that come near the labels; none for most tasks
 */
public record RegularTask(String name, Automaton automaton, Sampler sampler, List<Rule> rules) {

  public RegularTask {
    rules = List.copyOf(rules);
  }

  /**
   * {@return a task of a user's own} The labels that occur at a length alternate, so a batch holds
   * equally many strings of each. All strings of one label have the same probability.
   */
  public static RegularTask of(String name, Automaton automaton, Negatives negatives, double p) {
    Checks.require(
        negatives == Negatives.UNIFORM, "negatives", "uniform for an automaton", negatives);
    Checks.require(p == PaperTask.FAIR, "p", PaperTask.FAIR + " for an automaton", p);
    return new RegularTask(
        name,
        automaton,
        length -> {
          List<RankedStrings> labels =
              IntStream.range(0, automaton.numLabels())
                  .mapToObj(label -> new RankedStrings(automaton, length, label))
                  .filter(strings -> !strings.isEmpty())
                  .toList();
          Checks.require(
              !labels.isEmpty(), "length", "a length at which a string has a label", length);
          return (index, random) -> labels.get((int) (index % labels.size())).draw(random);
        },
        List.of());
  }
}
