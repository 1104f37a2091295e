package org.lengthwise.automaton;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.lengthwise.config.Checks;

/**
 * The twelve tasks of the paper. The first four label all strings, the others are languages with
 * label 1 for the strings of the language.
 */
public enum PaperTask {
  /** Whether the number of unequal neighbours is odd: whether first and last symbol differ. */
  EVEN_PAIRS,
  /** The value of an expression modulo 5, see {@link Arithmetic}. */
  MODULAR_ARITHMETIC,
  /** The number of b modulo 2. */
  PARITY_CHECK,
  /** The place on a cycle of five after steps of 0, +1 and -1 from place 0. */
  CYCLE_NAVIGATION,
  /** Balanced brackets of depth 2 at most; 0 opens, 1 closes. */
  D_2,
  /** Balanced brackets of depth 3 at most. */
  D_3,
  /** Balanced brackets of depth 4 at most. */
  D_4,
  /** Balanced brackets of depth 12 at most. */
  D_12,
  /** No odd run of 1s directly before an odd run of 0s. Runs are maximal. */
  TOMITA_3,
  /** No 000. */
  TOMITA_4,
  /** An even number of 0s and an even number of 1s. */
  TOMITA_5,
  /** The number of 0s minus the number of 1s is divisible by 3. */
  TOMITA_6;

  /** The probability of both symbols of the tasks without a bias. */
  public static final double FAIR = 0.5;

  private static final List<String> LETTERS = List.of("a", "b");
  private static final List<String> BITS = List.of("0", "1");

  /**
   * {@return the task with a name such as {@code parity_check}} The exception for another one
   * suggests the most similar name.
   */
  public static PaperTask named(String name) {
    Checks.oneOf("name", name, Arrays.stream(values()).map(PaperTask::label).toList());
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * {@return the task with a choice of its strings}
   *
   * @throws org.lengthwise.config.InvalidValueException if the task does not have the choice
   */
  public RegularTask with(Negatives negatives, double p) {
    Checks.require(
        negatives == Negatives.UNIFORM || isLanguage(),
        "negatives",
        "uniform, because %s is not a language".formatted(label()),
        negatives);
    Checks.within("p", p, 0, 1);
    Checks.require(
        p == FAIR || this == PARITY_CHECK,
        "p",
        "%s, because only %s has another probability".formatted(FAIR, PARITY_CHECK.label()),
        p);
    Automaton automaton = automaton();
    return new RegularTask(label(), automaton, sampler(automaton, negatives, p), rules());
  }

  /** The rules without states that are right for many strings of the paper. */
  private List<Rule> rules() {
    return switch (this) {
      case D_2 -> ofBrackets(2);
      case D_3 -> ofBrackets(3);
      case D_4 -> ofBrackets(4);
      case D_12 -> ofBrackets(12);
      case TOMITA_3 -> List.of(Rule.fewRuns(8));
      default -> List.of();
    };
  }

  private static List<Rule> ofBrackets(int depth) {
    return List.of(Rule.shortRuns(depth), Rule.equallyMany(), Rule.equallyManyBetweenEnds());
  }

  /** Whether strings have the label 1 inside a language and 0 outside. */
  private boolean isLanguage() {
    return compareTo(D_2) >= 0;
  }

  public Automaton automaton() {
    return switch (this) {
      case EVEN_PAIRS ->
          new Automaton(
              LETTERS,
              List.of(List.of(1, 2), List.of(1, 3), List.of(4, 2), List.of(1, 3), List.of(4, 2)),
              List.of(0, 0, 0, 1, 1));
      case MODULAR_ARITHMETIC -> Arithmetic.automaton();
      case PARITY_CHECK -> Automaton.reachedFrom(0, LETTERS, (odd, x) -> (odd + x) % 2, odd -> odd);
      case CYCLE_NAVIGATION ->
          Automaton.reachedFrom(
              0,
              List.of("stay", "increase", "decrease"),
              (place, x) -> (place + (x == 2 ? 4 : x)) % 5,
              place -> place);
      case D_2 -> brackets(2);
      case D_3 -> brackets(3);
      case D_4 -> brackets(4);
      case D_12 -> brackets(12);
      case TOMITA_3 ->
          new Automaton(
              BITS,
              List.of(List.of(0, 1), List.of(2, 0), List.of(3, 4), List.of(2, 1), List.of(4, 4)),
              List.of(1, 1, 0, 1, 0));
      case TOMITA_4 ->
          Automaton.reachedFrom(
              0,
              BITS,
              (zeros, x) -> zeros == 3 ? 3 : x == 0 ? zeros + 1 : 0,
              zeros -> zeros == 3 ? 0 : 1);
      case TOMITA_5 ->
          Automaton.reachedFrom(0, BITS, (odd, x) -> odd ^ (1 << x), odd -> odd == 0 ? 1 : 0);
      case TOMITA_6 ->
          Automaton.reachedFrom(0, BITS, (sum, x) -> (sum + x + 1) % 3, sum -> sum == 0 ? 1 : 0);
    };
  }

  /** Counts the open brackets of a string; -1 if a bracket is missing or the depth is too large. */
  private static Automaton brackets(int depth) {
    return Automaton.reachedFrom(
        0,
        BITS,
        (open, x) -> open < 0 || (x == 0 && open == depth) ? -1 : x == 0 ? open + 1 : open - 1,
        open -> open == 0 ? 1 : 0);
  }

  private Sampler sampler(Automaton automaton, Negatives negatives, double p) {
    return switch (this) {
      case EVEN_PAIRS, CYCLE_NAVIGATION ->
          independent(random -> random.nextInt(automaton.numSymbols()));
      case MODULAR_ARITHMETIC -> Arithmetic.sampler();
      case PARITY_CHECK -> independent(random -> random.nextDouble() < p ? 1 : 0);
      case D_2 -> new LanguageSampler(automaton, Positives.brackets(2), negatives, false);
      case D_3 -> new LanguageSampler(automaton, Positives.brackets(3), negatives, false);
      case D_4 -> new LanguageSampler(automaton, Positives.brackets(4), negatives, false);
      case D_12 -> new LanguageSampler(automaton, Positives.brackets(12), negatives, false);
      case TOMITA_3 -> new LanguageSampler(automaton, Positives.runs(automaton), negatives, true);
      case TOMITA_4 ->
          new LanguageSampler(automaton, Positives::withoutThreeZeros, negatives, true);
      case TOMITA_5, TOMITA_6 ->
          new LanguageSampler(automaton, Positives.uniform(automaton), negatives, true);
    };
  }

  private static Sampler independent(ToIntFunction<Random> symbol) {
    return length ->
        (index, random) ->
            IntStream.generate(() -> symbol.applyAsInt(random)).limit(length).toArray();
  }
}
