package org.lengthwise.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.config.Checks;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.rasp.SOp;
import picocli.CommandLine.Option;

/** The options for documents of a program: an input, a separator and the values. */
final class DocumentOptions {
  @Option(
      names = "--documents",
      required = true,
      paramLabel = "N",
      description = "Writes N documents, an input x, a separator and its values y.")
  private int count;

  @Option(
      names = "--alphabet",
      required = true,
      paramLabel = "CHARS",
      description = "The characters of x, all equally likely, such as a-z or ab0-9.")
  private String alphabet = "";

  @Option(
      names = "--lengths",
      required = true,
      paramLabel = "MIN-MAX",
      description = "The lengths of x, all equally likely, such as 1-20.")
  private String lengths = "";

  @Option(
      names = "--separator",
      defaultValue = "|",
      paramLabel = "CHAR",
      description = "The character between x and y. Default: ${DEFAULT-VALUE}.")
  private String separator = "";

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "The seed of the inputs. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "FILE.jsonl",
      description = "The file of the documents, for prepare.")
  private Path output = Path.of("");

  Path output() {
    return output;
  }

  void write(SOp sOp) throws IOException {
    Checks.atLeast("documents", count, 1);
    int[] letters = letters();
    int[] range = range();
    RandomStreams streams = new RandomStreams(seed);
    ObjectMapper mapper = ConfigLoader.strictMapper();
    AtomicFile.write(
        output,
        out -> {
          for (int i = 0; i < count; i++) {
            // So no document of other lengths begins as this one does.
            Random random = streams.stream("documents/%s/%s/%s".formatted(alphabet, lengths, i));
            StringBuilder x = new StringBuilder();
            int length = random.nextInt(range[0], range[1] + 1);
            while (length-- > 0) {
              x.appendCodePoint(letters[random.nextInt(letters.length)]);
            }
            String text = x + separator + answer(sOp, x.toString());
            out.write(mapper.writeValueAsBytes(Map.of("text", text)));
            out.write('\n');
          }
        });
  }

  /** The values as a text with one character for each position, T and F for truth values. */
  private static String answer(SOp sOp, String x) {
    String answer = String.join("", sOp.texts(x));
    Checks.require(
        answer.codePointCount(0, answer.length()) == x.codePointCount(0, x.length()),
        "s-op",
        "values of one character, for the input " + x,
        answer);
    return answer;
  }

  /** The code points of the alphabet, with ranges such as a-z written out. */
  private int[] letters() {
    int[] given = alphabet.codePoints().toArray();
    IntStream.Builder letters = IntStream.builder();
    for (int i = 0; i < given.length; i++) {
      boolean isRange = i + 2 < given.length && given[i + 1] == '-';
      int last = given[isRange ? i + 2 : i];
      Checks.require(given[i] <= last, "alphabet", "ranges such as a-z", alphabet);
      IntStream.rangeClosed(given[i], last).forEach(letters::add);
      i += isRange ? 2 : 0;
    }
    int[] distinct = letters.build().distinct().toArray();
    Checks.require(distinct.length > 0, "alphabet", "at least one character", "none");
    Checks.require(
        separator.codePointCount(0, separator.length()) == 1
            && Arrays.stream(distinct).noneMatch(c -> c == separator.codePointAt(0)),
        "separator",
        "one character that is not in the alphabet " + alphabet,
        separator);
    return distinct;
  }

  private int[] range() {
    Matcher matcher = Pattern.compile("([1-9]\\d{0,3})-([1-9]\\d{0,3})").matcher(lengths);
    Checks.require(matcher.matches(), "lengths", "a range such as 1-20", lengths);
    int[] range = {Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))};
    Checks.require(range[0] <= range[1], "lengths", "a range such as 1-20", lengths);
    return range;
  }
}
