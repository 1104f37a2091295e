package org.lengthwise.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;

/**
 * The lengths of a measurement: numbers, ranges such as {@code 41..500} or {@code 41..500:9}, which
 * is every ninth length from 41 on, and multiples of the training length T_tr of each model such as
 * {@code 2x} or {@code 0.5x}. A multiple is rounded to a whole number of tokens.
 *
 * @param values the lengths of all models in ascending order, each once
 * @param multiples the multiples of T_tr in ascending order, each once
 * @param trainLengths the known T_tr of the models that are measured together, in ascending order
 */
public record Lengths(
    List<Integer> values, List<BigDecimal> multiples, List<Integer> trainLengths) {
  private static final Pattern PART =
      Pattern.compile("(\\d{1,9})(?:\\.\\.(\\d{1,9})(?::(\\d{1,9}))?)?");

  private static final Pattern MULTIPLE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)x");

  /** Sorts the lengths, and requires at least one. Numbers are at least 1, multiples above 0. */
  public Lengths {
    values = values.stream().distinct().sorted().toList();
    multiples = multiples.stream().map(BigDecimal::stripTrailingZeros).distinct().sorted().toList();
    trainLengths = trainLengths.stream().distinct().sorted().toList();
    boolean isEmpty = values.isEmpty() && multiples.isEmpty();
    boolean isAbove0 = values.stream().allMatch(length -> length >= 1);
    Checks.require(!isEmpty && isAbove0, "lengths", "lengths of at least 1", values);
  }

  public Lengths(List<Integer> values) {
    this(values, List.of(), List.of());
  }

  /**
   * Reads lengths.
   *
   * @param parts numbers, ranges and multiples, as text or as numbers, each once
   * @throws InvalidValueException if a part is none of the three, or listed twice
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Lengths of(List<?> parts) {
    List<String> texts = parts.stream().map(part -> String.valueOf(part).strip()).toList();
    List<Integer> values = new ArrayList<>();
    List<BigDecimal> multiples = new ArrayList<>();
    for (String text : Checks.distinct("", texts)) {
      Matcher multiple = MULTIPLE.matcher(text);
      if (multiple.matches() && new BigDecimal(multiple.group(1)).signum() > 0) {
        multiples.add(new BigDecimal(multiple.group(1)));
      } else {
        part(text).forEach(values::add);
      }
    }
    return new Lengths(values, multiples, List.of());
  }

  private static Stream<Integer> part(String text) {
    Matcher part = PART.matcher(text);
    if (part.matches()) {
      int first = Integer.parseInt(part.group(1));
      int last = part.group(2) == null ? first : Integer.parseInt(part.group(2));
      int step = part.group(3) == null ? 1 : Integer.parseInt(part.group(3));
      if (first >= 1 && last >= first && step >= 1) {
        return IntStream.iterate(first, length -> length <= last, length -> length + step).boxed();
      }
    }
    throw new InvalidValueException(
        "",
        "lengths of at least 1, such as 512, 41..500 or 41..500:9, with the shorter one first, or"
            + " multiples of the training length, such as 2x or 0.5x",
        text);
  }

  /** {@return the numbers, and then the multiples as text, as {@link #of} reads them} */
  @JsonValue
  public List<Object> parts() {
    return Stream.<Object>concat(
            values.stream(), multiples.stream().map(multiple -> multiple.toPlainString() + "x"))
        .toList();
  }

  /** {@return the same lengths for more models that are measured together} */
  public Lengths among(Collection<Integer> more) {
    List<Integer> all = Stream.concat(trainLengths.stream(), more.stream()).toList();
    return new Lengths(values, multiples, all);
  }

  /**
   * {@return the lengths of a model in ascending order, each once}
   *
   * @throws ConfigException if a multiple is not a length that the model can have
   */
  public List<Integer> forTraining(int trainLength) {
    return Stream.concat(
            values.stream(), multiples.stream().map(multiple -> times(multiple, trainLength)))
        .distinct()
        .sorted()
        .toList();
  }

  private static int times(BigDecimal multiple, int trainLength) {
    BigDecimal length =
        multiple.multiply(BigDecimal.valueOf(trainLength)).setScale(0, RoundingMode.HALF_UP);
    if (length.signum() == 0 || length.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      throw new ConfigException(
          "lengths",
          "multiples that are from 1 to %s tokens".formatted(Count.of(Integer.MAX_VALUE)),
          "%sx, %s tokens at a training length of %s"
              .formatted(multiple.toPlainString(), length.toPlainString(), trainLength),
          "name another multiple");
    }
    return length.intValueExact();
  }

  /**
   * {@return the lengths of all models that are measured together, in ascending order, each once;
   * without multiples as long as no T_tr is known}
   */
  public List<Integer> all() {
    return Stream.concat(
            values.stream(), trainLengths.stream().flatMap(t -> forTraining(t).stream()))
        .distinct()
        .sorted()
        .toList();
  }
}
