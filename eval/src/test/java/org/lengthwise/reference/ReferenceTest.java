package org.lengthwise.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.lengthwise.cli.Lengthwise;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.toy.Toy;
import org.lengthwise.positional.attention.Precision;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/**
 * The generated pages agree with the code. If one is stale, {@code scripts/reference.sh} writes all
 * of them anew.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReferenceTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGES = ROOT.resolve("docs/reference");
  private static final boolean WRITES = Boolean.getBoolean("lengthwise.reference.write");

  /** An option at the start of a line of help. */
  private static final Pattern OPTION = Pattern.compile("(?m)^ {2,6}(?:-\\w, )?(--[a-z-]+)");

  /** The words before the lower end of a range, and before the upper one. */
  private static final Pattern LOW = Pattern.compile("(at least|above|from|between) (\\d[\\d,.]*)");

  private static final Pattern HIGH = Pattern.compile("(to|below|at most|and) (\\d[\\d,.]*)");

  /** Keys whose mappings have other keys as their keys. */
  private static final Set<String> OF_KEYS = Set.of("space", "trial");

  /** Keys whose values are names that a user chooses, or paths of keys. */
  private static final Set<String> OF_NAMES =
      Set.of("schemes", "pruned_only", "figures", "parameters", "vary", "tolerance", "factors");

  private final ConfigurationPage page = ConfigurationPage.of(ROOT);

  ReferenceTest() throws IOException {}

  @Test
  void thePageOfCommandsIsThatOfTheCode() throws IOException {
    check("commands.md", CommandsPage.text());
  }

  @Test
  void thePageOfTheConfigurationIsThatOfTheCode() throws IOException {
    check("configuration.md", page.text());
  }

  /**
   * A section of experiments that lists one more kind.
   *
   * @param measurements the measurements of each run
   */
  private record WithToy(
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
          @JsonSubTypes(@JsonSubTypes.Type(Toy.class))
          List<MeasurementConfig> measurements) {}

  @Test
  void aListedMeasurementIsOnThePage() throws IOException {
    Toy toy =
        new Toy(new Lengths(List.of(8)), new MeasurementSettings(64, Precision.FLOAT32, "cpu"));
    WithToy example = new WithToy(List.of(toy));
    assertThat(ConfigurationPage.of(ROOT, WithToy.class, example).text())
        .contains(
            "| `kind: toy` |  |  |  | A toy, which counts the even numbers up to a length. |");
  }

  @Test
  void everyStatedEndOfARangeIsWhereItsRecordBeginsToReject() {
    int numEnds = 0;
    for (Ranges.Stated range : page.ranges().all().toList()) {
      for (Map.Entry<Pattern, Integer> end : Map.of(LOW, -1, HIGH, 1).entrySet()) {
        Matcher words = end.getKey().matcher(range.text());
        if (words.find()) {
          boolean isInside = !words.group(1).matches("above|below|between|and");
          Number value = range.number(words.group(2).replace(",", ""), 0);
          Number next = range.number(words.group(2).replace(",", ""), end.getValue());
          Number previous = range.number(words.group(2).replace(",", ""), -end.getValue());
          assertThat(range.rejects(isInside ? next : value)).as("outside: %s", range).isTrue();
          assertThat(range.rejects(isInside ? value : previous)).as("inside: %s", range).isFalse();
          numEnds++;
        }
      }
    }
    assertThat(numEnds).isGreaterThan(100);
  }

  @Test
  void theHelpAndThePageHaveTheSameCommandsAndOptions() throws IOException {
    String text = Files.readString(PAGES.resolve("commands.md"));
    Map<String, CommandLine> commands = Lengthwise.commandLine().getSubcommands();
    Map<String, Set<String>> helped = new TreeMap<>();
    Map<String, Set<String>> documented = new TreeMap<>();
    for (Map.Entry<String, CommandLine> command : commands.entrySet()) {
      String help = command.getValue().getUsageMessage();
      Set<String> options = options(OPTION, help);
      options.removeAll(Set.of("--help", "--version"));
      helped.put(command.getKey(), options);
      String section =
          text.split("(?m)^## " + command.getKey() + "$", 2)[1].split("(?m)^## ", 2)[0];
      documented.put(
          command.getKey(), options(Pattern.compile("(?m)^\\| [^|]*?`(--[a-z-]+)"), section));
    }
    assertThat(documented).isEqualTo(helped);
    assertThat(Lengthwise.commandLine().getUsageMessage()).contains(commands.keySet());
  }

  @Test
  void thePageHasEveryKeyOfEveryFileInConf() throws IOException {
    Set<String> keys = new TreeSet<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve("conf"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
        collect(new Yaml().load(Files.readString(file)), keys);
      }
    }
    keys.removeAll(Set.of("extends", "experiment"));
    assertThat(keys).hasSizeGreaterThan(100);
    String text = Files.readString(PAGES.resolve("configuration.md"));
    assertThat(keys)
        .allSatisfy(key -> assertThat(text).containsPattern("\\| `([^`]*\\.)?" + key + "[`:]"));
  }

  private static void collect(Object value, Set<String> keys) {
    if (value instanceof Map<?, ?> mapping) {
      mapping.forEach(
          (key, below) -> {
            keys.add(key.toString());
            boolean ofNames =
                OF_NAMES.contains(key.toString())
                    && below instanceof Map<?, ?> names
                    && !names.containsKey("schemes"); // the part schemes of bench
            if (!OF_KEYS.contains(key.toString())) {
              collect(ofNames ? ((Map<?, ?>) below).values() : below, keys);
            }
          });
    } else if (value instanceof Iterable<?> values) {
      values.forEach(each -> collect(each, keys));
    }
  }

  private static Set<String> options(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void check(String name, String expected) throws IOException {
    Path page = PAGES.resolve(name);
    if (WRITES) {
      Files.writeString(page, expected);
    }
    assertThat(page).as("%s is stale: run scripts/reference.sh", name).hasContent(expected);
  }
}
