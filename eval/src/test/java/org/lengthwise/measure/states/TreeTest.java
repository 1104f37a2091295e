package org.lengthwise.measure.states;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.automaton.Automaton;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.automaton.PaperTask;
import org.lengthwise.positional.RegularGpt;

class TreeTest {
  private static final Automaton TOMITA_3 =
      PaperTask.named("tomita_3").with(Negatives.UNIFORM, 0.5).automaton();

  private static List<Integer> composed(List<Integer> first, List<Integer> then) {
    return first.stream().map(then::get).toList();
  }

  /** The definition: rows in chunks of C from the end, the map of a window is that of its rows. */
  private static List<List<List<Integer>>> reference(int[] ids, int chunk) {
    List<List<Integer>> rows =
        IntStream.of(ids)
            .mapToObj(
                id ->
                    IntStream.range(0, TOMITA_3.numStates())
                        .mapToObj(state -> TOMITA_3.next(state, id))
                        .toList())
            .toList();
    List<List<List<Integer>>> levels = new ArrayList<>();
    do {
      List<List<Integer>> above = new ArrayList<>();
      for (int end = rows.size(); end > 0; end -= chunk) {
        List<Integer> map = IntStream.range(0, TOMITA_3.numStates()).boxed().toList();
        for (List<Integer> row : rows.subList(Math.max(0, end - chunk), end)) {
          map = composed(map, row);
        }
        above.add(map);
      }
      Collections.reverse(above);
      levels.add(above);
      rows = above;
    } while (rows.size() > 1);
    return levels;
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 2", "5, 2", "37, 2", "64, 2", "37, 3", "28, 3", "125, 5", "126, 5"})
  void mapsOfWindowsComposeFromTheLevelBelow(int length, int chunk) {
    int[] ids = IntStream.range(0, length).map(t -> t * t % 7 % 2).toArray();
    List<List<List<Integer>>> expected = reference(ids, chunk);
    List<List<float[]>> outputs =
        expected.stream().map(level -> Collections.nCopies(level.size(), new float[1])).toList();
    Tree tree = Tree.of(outputs, ids, TOMITA_3, new RegularGpt(chunk));
    assertThat(tree.maps()).isEqualTo(expected.stream().flatMap(List::stream).toList());
    assertThat(tree.maps().get(tree.maps().size() - 1).get(0))
        .as("the state after the whole string")
        .isEqualTo(TOMITA_3.map(ids, 0, length).get(0));
  }

  @Test
  void theMapOfNothingIsTheIdentity() {
    assertThat(TOMITA_3.map(new int[] {1, 0}, 1, 1)).containsExactly(0, 1, 2, 3, 4);
  }
}
