package org.lengthwise.measure.states;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.lengthwise.automaton.Automaton;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.result.StatesResult.Level;
import org.lengthwise.result.StatesResult.Outputs;
import org.lengthwise.statistics.Clusters;
import org.lengthwise.statistics.PrincipalComponents;

/**
 * The outputs for all windows of one string, from the first level to the last, and from the
 * earliest window of a level to the last.
 *
 * @param maps for each output the map of the part of the string below it
 */
record Tree(List<Integer> sizes, List<float[]> outputs, List<List<Integer>> maps) {
  /** Outputs with equal thousandths count as one: rounding errors are far below. */
  private static final double GRID = 1000;

  /**
   * The maps of a string. The window i of n at level l, counted from 0, ends (n - 1 - i)
   * C<sup>l</sup> symbols before the end of the string, and has C<sup>l</sup> symbols, fewer at the
   * start. Levels count from 1 here.
   */
  static Tree of(
      List<List<float[]>> levels, int[] ids, Automaton automaton, PositionalScheme scheme) {
    List<List<Integer>> maps = new ArrayList<>();
    for (int level = 1; level <= levels.size(); level++) {
      long reach = scheme.reach().dilation(level);
      long count = levels.get(level - 1).size();
      for (long after = count - 1; after >= 0; after--) {
        long end = ids.length - after * reach;
        maps.add(automaton.map(ids, (int) Math.max(0, end - reach), (int) end));
      }
    }
    return new Tree(
        levels.stream().map(List::size).toList(),
        levels.stream().flatMap(List::stream).toList(),
        maps);
  }

  /** What the outputs of several strings show together. */
  static Outputs measured(List<Tree> trees, PrincipalComponents components) {
    List<float[]> outputs = outputs(trees);
    Clusters clusters =
        Clusters.of(outputs, trees.stream().flatMap(tree -> tree.maps().stream()).toList());
    OptionalDouble ratio = clusters.ratio();
    Set<List<Long>> rounded = new HashSet<>();
    for (float[] output : outputs) {
      rounded.add(
          IntStream.range(0, output.length).mapToObj(i -> Math.round(GRID * output[i])).toList());
    }
    return new Outputs(
        outputs.size(),
        clusters.numClasses(),
        rounded.size(),
        clusters.nearest(),
        ratio.isPresent() ? ratio.getAsDouble() : null,
        List.of(components.share(0), components.share(1)));
  }

  static List<float[]> outputs(List<Tree> trees) {
    return trees.stream().flatMap(tree -> tree.outputs().stream()).toList();
  }

  /** The outputs of each level on the plane of the first two components. */
  List<Level> projected(PrincipalComponents components) {
    List<Level> levels = new ArrayList<>();
    int first = 0;
    for (int size : sizes) {
      List<float[]> some = outputs.subList(first, first + size);
      levels.add(
          new Level(
              some.stream().map(output -> components.coordinate(output, 0)).toList(),
              some.stream().map(output -> components.coordinate(output, 1)).toList()));
      first += size;
    }
    return levels;
  }
}
