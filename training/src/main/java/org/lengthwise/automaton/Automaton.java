package org.lengthwise.automaton;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import org.lengthwise.config.Checks;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;

/**
 * A deterministic finite automaton with a label for each state. It starts in state 0.
 *
 * @param symbols the names of the V symbols; the id of a symbol is its index
 * @param transitions for each state the V next states, by symbol
 * @param labels the label of each state, from 0 on; -1 for a state in which no complete string ends
 */
public record Automaton(
    List<String> symbols, List<List<Integer>> transitions, List<Integer> labels) {
  public static final int NONE = -1;

  public Automaton {
    symbols = List.copyOf(symbols);
    transitions = transitions.stream().map(List::copyOf).toList();
    labels = List.copyOf(labels);
    Checks.require(
        !symbols.isEmpty() && Set.copyOf(symbols).size() == symbols.size(),
        "symbols",
        "at least one name, each once",
        symbols);
    Checks.require(!transitions.isEmpty(), "transitions", "at least one state", "none");
    for (int state = 0; state < transitions.size(); state++) {
      requireRow(symbols, transitions.size(), state, transitions.get(state));
    }
    requireLabels(labels, transitions.size());
  }

  private static void requireRow(
      List<String> symbols, int numStates, int state, List<Integer> row) {
    String key = "transitions." + state;
    Checks.require(
        row.size() == symbols.size(),
        key,
        "a next state for each of the symbols " + String.join(", ", symbols),
        row.size() < symbols.size() ? "no state for " + symbols.get(row.size()) : row);
    for (int next : row) {
      Checks.require(
          next >= 0 && next < numStates, key, "states from 0 to " + (numStates - 1), next);
    }
  }

  private static void requireLabels(List<Integer> labels, int numStates) {
    Checks.require(
        labels.size() == numStates,
        "labels",
        "a label for each state",
        "%s for %s states".formatted(labels, numStates));
    int numLabels = 0;
    while (labels.contains(numLabels)) {
      numLabels++;
    }
    int end = numLabels;
    Checks.require(
        numLabels >= 2 && labels.stream().allMatch(label -> label >= NONE && label < end),
        "labels",
        "0, 1 and so on without a gap, or %s for a state without a label".formatted(NONE),
        labels);
  }

  /**
   * Reads a user's automaton.
   *
   * @param file YAML with the keys {@code symbols}, {@code transitions} and {@code labels}
   */
  public static Automaton read(Path file) {
    return ConfigLoader.load(file, List.of()).bind(Automaton.class);
  }

  /**
   * {@return the automaton of the states that can be reached} States are numbered in the order in
   * which a breadth-first search finds them.
   *
   * @param initial the state in which every string starts
   */
  static <S> Automaton reachedFrom(
      S initial, List<String> symbols, BiFunction<S, Integer, S> next, ToIntFunction<S> label) {
    List<S> states = new ArrayList<>(List.of(initial));
    List<List<Integer>> transitions = new ArrayList<>();
    for (int state = 0; state < states.size(); state++) {
      List<Integer> row = new ArrayList<>();
      for (int symbol = 0; symbol < symbols.size(); symbol++) {
        S reached = next.apply(states.get(state), symbol);
        if (!states.contains(reached)) {
          states.add(reached);
        }
        row.add(states.indexOf(reached));
      }
      transitions.add(row);
    }
    return new Automaton(
        symbols,
        transitions,
        states.stream().map(label::applyAsInt).map(Integer::valueOf).toList());
  }

  public int numStates() {
    return transitions.size();
  }

  /** {@return V, the number of symbols} */
  public int numSymbols() {
    return symbols.size();
  }

  /** {@return N, the number of labels, at least 2} */
  public int numLabels() {
    return labels.stream().mapToInt(Integer::intValue).max().orElseThrow() + 1;
  }

  public int next(int state, int symbol) {
    return transitions.get(state).get(symbol);
  }

  /**
   * {@return the map of a part of a string: for each state the state after the part} The map of an
   * empty part is the identity.
   */
  public List<Integer> map(int[] ids, int from, int to) {
    List<Integer> map = new ArrayList<>();
    for (int start = 0; start < numStates(); start++) {
      int state = start;
      for (int t = from; t < to; t++) {
        state = next(state, ids[t]);
      }
      map.add(state);
    }
    return List.copyOf(map);
  }

  /**
   * {@return the label of a string, 0..N-1}
   *
   * @throws org.lengthwise.config.InvalidValueException if an id is not a symbol, or the string is
   *     empty or has no label; its key is the place, such as {@code ids[3]}
   */
  public int label(int[] ids) {
    Checks.require(ids.length > 0, "ids", "at least one id", "none");
    int state = 0;
    for (int t = 0; t < ids.length; t++) {
      if (ids[t] < 0 || ids[t] >= numSymbols()) {
        throw new InvalidValueException(
            "ids[%s]".formatted(t),
            "an id from 0 to %s (%s)".formatted(numSymbols() - 1, String.join(", ", symbols)),
            String.valueOf(ids[t]));
      }
      state = next(state, ids[t]);
    }
    int label = labels.get(state);
    Checks.require(label != NONE, "ids", "a complete string of the task", "one without a label");
    return label;
  }
}
