package org.lengthwise.automaton;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The labels of the paper's tasks by their definitions, without automata. */
final class Definitions {
  private static final Pattern ODD_ONES_THEN_ODD_ZEROS =
      Pattern.compile("(?<!1)1(?:11)*0(?:00)*(?!0)");

  private Definitions() {}

  static int label(PaperTask task, int[] ids) {
    String text = Arrays.stream(ids).mapToObj(String::valueOf).collect(Collectors.joining());
    return switch (task) {
      case EVEN_PAIRS ->
          (int) IntStream.range(1, ids.length).filter(t -> ids[t] != ids[t - 1]).count() % 2;
      case MODULAR_ARITHMETIC -> value(text);
      case PARITY_CHECK -> count(text, '1') % 2;
      case CYCLE_NAVIGATION -> Math.floorMod(count(text, '1') - count(text, '2'), 5);
      case D_2 -> member(isNested(text, 2));
      case D_3 -> member(isNested(text, 3));
      case D_4 -> member(isNested(text, 4));
      case D_12 -> member(isNested(text, 12));
      case TOMITA_3 -> member(!ODD_ONES_THEN_ODD_ZEROS.matcher(text).find());
      case TOMITA_4 -> member(!text.contains("000"));
      case TOMITA_5 -> member(count(text, '0') % 2 == 0 && count(text, '1') % 2 == 0);
      case TOMITA_6 -> member((count(text, '0') - count(text, '1')) % 3 == 0);
    };
  }

  private static int member(boolean isInside) {
    return isInside ? 1 : 0;
  }

  private static int count(String text, char symbol) {
    return (int) text.chars().filter(c -> c == symbol).count();
  }

  /** The sum of the terms; 5 is +, 6 is - and 7 is *. */
  private static int value(String text) {
    int sum = 0;
    for (String term : text.split("(?=[56])", -1)) {
      int product = term.charAt(0) == '5' ? 1 : -1;
      for (String digit : term.substring(1).split("7", -1)) {
        product = product * Integer.parseInt(digit) % 5;
      }
      sum += product;
    }
    return Math.floorMod(sum, 5);
  }

  /** One pass removes the innermost pairs, so the depth of a balanced string is its passes. */
  private static boolean isNested(String text, int depth) {
    String rest = text;
    for (int pass = 0; pass < depth; pass++) {
      rest = rest.replace("01", "");
    }
    return rest.isEmpty();
  }
}
