package org.lengthwise.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.config.Checks;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.rasp.Program;
import org.lengthwise.rasp.SOp;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lengthwise rasp}: runs, sizes and draws a RASP program. */
@Command(
    name = "rasp",
    sortOptions = false,
    header = "Runs, sizes and draws a RASP program.",
    description =
        "Prints the values of an s-op on an input, and the layers and heads of the transformer that"
            + " computes it. Numbers are exact. Programs of the paper are in conf/rasp/.",
    footer = {
      "",
      "Example:",
      "  rasp conf/rasp/sort.rasp --s-op sort_bos --input '§cba' --draw sort.svg",
      "  rasp conf/rasp/sort.rasp --s-op sorted --documents 20000 --alphabet a-z --lengths 1-20",
      "      --seed 1 --output sort.jsonl"
    })
public final class RaspCommand implements Callable<Integer> {
  @Parameters(paramLabel = "PROGRAM", description = "The program, a .rasp file.")
  private Path program = Path.of("");

  @Option(
      names = "--s-op",
      required = true,
      paramLabel = "NAME",
      description = "The s-op to run, a name that the program defines.")
  private String name = "";

  @Option(
      names = "--input",
      paramLabel = "TEXT",
      description =
          "The input. Each character is a token. Without an input only sizes are printed.")
  private @Nullable String input;

  @Option(
      names = "--draw",
      paramLabel = "FILE.svg",
      description = "Draws what each head selects and each layer yields on the input.")
  private @Nullable Path drawing;

  @Option(
      names = "--json",
      description =
          "Prints one JSON object with the keys s_op, input, values, layers and heads (a number for"
              + " each layer). A fraction is a text such as \"3/2\".")
  private boolean json;

  @ArgGroup(exclusive = false)
  private @Nullable Documents documents;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Documents with an input, a separator and the values. */
  private static final class Documents {
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
        required = true,
        paramLabel = "N",
        description = "The seed of the inputs.")
    private long seed;

    @Option(
        names = "--output",
        required = true,
        paramLabel = "FILE.jsonl",
        description = "The file of the documents, for prepare.")
    private Path output = Path.of("");

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
              Random random = streams.stream("documents/" + i);
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

    /** The values as a text with one character for each position. */
    private static String answer(SOp sOp, String x) {
      String answer = sOp.run(x).stream().map(String::valueOf).collect(Collectors.joining());
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
        int last = given[i];
        if (i + 2 < given.length && given[i + 1] == '-') {
          last = given[i + 2];
          Checks.require(given[i] <= last, "alphabet", "ranges such as a-z", alphabet);
        }
        IntStream.rangeClosed(given[i], last).forEach(letters::add);
        i += last == given[i] ? 0 : 2;
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

  /** A command to be filled in from the command line. */
  public RaspCommand() {}

  /**
   * The object that {@code --json} prints.
   *
   * @param values a number, a text or a truth value for each position; null without an input
   * @param heads the number of heads of each layer
   */
  private record Result(
      @JsonProperty("s_op") String sOp,
      @Nullable String input,
      @Nullable List<Object> values,
      int layers,
      List<Integer> heads) {}

  @Override
  public Integer call() throws IOException {
    SOp sOp = Program.read(program, TextFile::read).sOp(name);
    if (drawing != null) {
      String svg = sOp.draw(requireInput());
      AtomicFile.write(drawing, out -> out.write(svg.getBytes(StandardCharsets.UTF_8)));
    }
    if (documents != null) {
      try {
        documents.write(sOp);
      } catch (InvalidValueException e) {
        throw e.ofOption();
      }
      spec.commandLine().getOut().println(documents.output);
      return 0;
    }
    List<Object> values = input == null ? null : sOp.run(input);
    print(values, sOp.heads());
    return 0;
  }

  private String requireInput() {
    if (input == null) {
      throw new ConfigException("--draw", "an input", "none", "add --input TEXT");
    }
    return input;
  }

  private void print(@Nullable List<Object> values, List<Integer> heads) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Result result = new Result(name, input, values, heads.size(), heads);
      out.println(ConfigLoader.strictMapper().writeValueAsString(result));
      return;
    }
    if (values != null) {
      out.println(
          values.stream()
              .map(String::valueOf)
              .collect(Collectors.joining(", ", name + "(\"" + input + "\") = [", "]")));
    }
    String byLayer = heads.stream().map(String::valueOf).collect(Collectors.joining(" "));
    out.println(
        Count.of(heads.size(), "layer") + (heads.isEmpty() ? "" : ", heads by layer: " + byLayer));
    if (drawing != null) {
      out.println(drawing);
    }
  }
}
