package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * A label at each position of a string, which a RASP program computes. An encoder that sees all
 * positions learns it. T = L, or L + 1 with BOS. Ids: the symbols, BOS if the language has one, and
 * the labels that are no symbols: the counts 1 .. longest and one label for every larger count, or
 * T, P and F. The label of BOS is BOS.
 *
 * <p>Symbols are uniform. In a language of brackets this holds for one symbol in ten; each other
 * one is neutral, opens a bracket or closes the last open one, with equal probabilities.
 *
 * @param language the language
 * @param lengths the shortest and the longest training length L, from 0 on
 * @param alphabet the number of symbols, without BOS; 0 for that of the paper
 * @param group the strings of a step that have one length, a divisor of the batch; 0 for all
 * @param epoch after how many training strings they repeat, in another order; 0 for never
 * @param attention the weight of the mean squared difference between the attention of heads and
 *     what the program selects; 0 without
 */
@JsonTypeName("rasp")
public record Rasp(
    RaspLanguage language,
    List<Integer> lengths,
    @AbsentMeans("0") int alphabet,
    @AbsentMeans("0") int group,
    @AbsentMeans("0") long epoch,
    @AbsentMeans("0.0") double attention)
    implements DrawnTask {
  private static final double ANY_SYMBOL = 0.1;

  /** Strings of a length whose most frequent label is the majority label of that length. */
  private static final int MAJORITY_STRINGS = 100;

  private static final int MOST_SYMBOLS = 500;

  public Rasp {
    Checks.require(
        lengths.size() == 2 && lengths.get(0) >= 0 && lengths.get(1) >= Math.max(1, lengths.get(0)),
        "lengths",
        "the shortest and the longest length, such as [0, 40]",
        lengths);
    lengths = List.copyOf(lengths);
    Checks.require(
        alphabet >= 0 && alphabet <= MOST_SYMBOLS,
        "alphabet",
        "from 0 to " + MOST_SYMBOLS,
        alphabet);
    alphabet = alphabet == 0 ? language.alphabet() : alphabet;
    Checks.require(
        !language.hasBrackets() || alphabet == language.alphabet(),
        "alphabet",
        "%s, or 0, because %s has brackets".formatted(language.alphabet(), language.label()),
        alphabet);
    Checks.atLeast("group", group, 0);
    Checks.atLeast("epoch", epoch, 0);
    Checks.require(
        group == 0 || epoch % group == 0, "epoch", "a multiple of group " + group, epoch);
    Checks.within("attention", attention, 0, Double.MAX_VALUE);
  }

  private int firstTokens() {
    return language.hasBos() ? 1 : 0;
  }

  private int numLabels() {
    return switch (language.labels()) {
      case TOKENS -> 0;
      case COUNTS -> lengths.get(1) + 1;
      case VERDICTS -> RaspLanguage.VERDICTS.length();
    };
  }

  @Override
  public Form form() {
    int different = language.labels() == RaspLanguage.Labels.TOKENS ? alphabet : numLabels();
    Baseline copy = new Baseline("copy of the input", (string, t) -> string.ids()[t]);
    return new Form(
        "a label at each position, by a RASP program (Weiss et al. 2021)",
        alphabet + firstTokens() + numLabels(),
        1.0 / different,
        length -> length >= 0 && length + firstTokens() >= 1,
        length -> length + firstTokens(),
        numLabels() == 0 ? List.of(majority(), copy) : List.of(majority()));
  }

  private Baseline majority() {
    Map<Integer, Integer> byLength = new HashMap<>();
    return new Baseline(
        "the majority label",
        (string, t) ->
            byLength.computeIfAbsent(string.ids().length - firstTokens(), this::mostFrequent));
  }

  private int mostFrequent(int length) {
    Random random = new Random(length);
    return IntStream.range(0, MAJORITY_STRINGS)
        .flatMap(i -> Arrays.stream(label(draw(length, Stream.TRAIN, random)).targets()))
        .boxed()
        .collect(Collectors.groupingBy(label -> label, Collectors.counting()))
        .entrySet()
        .stream()
        .max(Map.Entry.<Integer, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .orElseThrow()
        .getKey();
  }

  /** {@inheritDoc} Only those that decide single strings. */
  @Override
  public ObjectNode settings() {
    ObjectNode settings = DrawnTask.super.settings();
    return settings.remove(List.of("group", "epoch", "attention"));
  }

  @Override
  public int group(int batch) {
    return group == 0 ? batch : group;
  }

  @Override
  public OptionalLong samplesPerEpoch() {
    return epoch == 0 ? OptionalLong.empty() : OptionalLong.of(epoch);
  }

  @Override
  public int[] draw(int length, Stream stream, Random random) {
    int[] ids = new int[length + firstTokens()];
    if (language.hasBos()) {
      ids[0] = alphabet;
    }
    Deque<Integer> open = new ArrayDeque<>();
    for (int t = firstTokens(); t < ids.length; t++) {
      ids[t] =
          language.hasBrackets() && random.nextDouble() >= ANY_SYMBOL
              ? legal(open, random)
              : random.nextInt(alphabet);
      if (ids[t] % 2 == 1) {
        open.poll();
      } else if (ids[t] < alphabet - 1) {
        open.push(ids[t]);
      }
    }
    return ids;
  }

  /** A neutral symbol, an opening bracket, or the bracket that closes the last open one. */
  private int legal(Deque<Integer> open, Random random) {
    return switch (random.nextInt(open.isEmpty() ? 2 : 3)) {
      case 0 -> alphabet - 1;
      case 1 -> 2 * random.nextInt(alphabet / 2);
      default -> open.element() + 1;
    };
  }

  @Override
  public RecallString label(int[] ids) {
    Answers answers = new Answers(ids);
    List<String> values = language.sOp().texts(text(ids));
    for (int t = 0; t < ids.length; t++) {
      answers.ask(t, t < firstTokens() ? alphabet : id(values.get(t)), t);
    }
    return answers.string();
  }

  private int id(String value) {
    int first = alphabet + firstTokens();
    return switch (language.labels()) {
      case TOKENS -> symbols().indexOf(value);
      case COUNTS -> first + Math.min(Integer.parseInt(value), numLabels()) - 1;
      case VERDICTS -> first + RaspLanguage.VERDICTS.indexOf(value);
    };
  }

  /** The symbols in the order of their ids. */
  private String symbols() {
    return language.symbols(alphabet) + (language.hasBos() ? RaspLanguage.BOS : "");
  }

  /**
   * {@return the characters that the program reads for ids}
   *
   * @throws org.lengthwise.config.InvalidValueException if they are not those of a string
   */
  public String text(int[] ids) {
    Answers answers = new Answers(ids);
    answers.require(ids.length >= 1, 0, "at least one id");
    String symbols = symbols();
    StringBuilder text = new StringBuilder();
    for (int t = 0; t < ids.length; t++) {
      boolean isBos = t < firstTokens();
      int low = isBos ? alphabet : 0;
      int high = isBos ? alphabet + 1 : alphabet;
      answers.require(answers.isIn(t, low, high), t, isBos ? "BOS" : "a symbol");
      text.append(symbols.charAt(ids[t]));
    }
    return text.toString();
  }

  /**
   * {@return the ids of characters, as {@link #text} has them}
   *
   * @throws org.lengthwise.config.InvalidValueException if they are not those of a string
   */
  public int[] ids(String text) {
    String[] characters = text.codePoints().mapToObj(Character::toString).toArray(String[]::new);
    int[] ids = Arrays.stream(characters).mapToInt(symbols()::indexOf).toArray();
    Checks.require(ids.length > 0, "character 1", "a character", "an empty text");
    for (int t = 0; t < ids.length; t++) {
      boolean isBos = t < firstTokens();
      Checks.require(
          isBos ? ids[t] == alphabet : ids[t] >= 0 && ids[t] < alphabet,
          "character " + (t + 1),
          isBos ? RaspLanguage.BOS : "one of " + language.symbols(alphabet),
          characters[t]);
    }
    return ids;
  }
}
