package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaspCommandTest {
  private static final String SORT = CommandRunner.HOME.resolve("conf/rasp/sort.rasp").toString();

  private final CommandRunner commands = new CommandRunner();

  @TempDir private Path folder;

  @Test
  void printsValuesAndSizes() {
    assertThat(commands.run("rasp", SORT, "--s-op", "sort_bos", "--input", "§cba"))
        .isEqualToNormalizingNewlines(
            "sort_bos(\"§cba\") = [§, a, b, c]\n2 layers, heads by layer: 1 1\n");
    assertThat(commands.run("rasp", SORT, "--s-op", "tokens"))
        .isEqualToNormalizingNewlines("0 layers\n");
  }

  @Test
  void truthValuesArePrintedAsLetters() throws IOException {
    Path program = folder.resolve("p.rasp");
    Files.writeString(program, "seen = has_prev(tokens);");

    assertThat(commands.run("rasp", program.toString(), "--s-op", "seen", "--input", "abaa"))
        .startsWith("seen(\"abaa\") = [F, F, T, T]");
    assertThat(
            commands.run("rasp", program.toString(), "--s-op", "seen", "--input", "abaa", "--json"))
        .contains("\"values\":[false,false,true,true]");
  }

  @Test
  void jsonHasNumbersTextsTruthValuesAndFractions() throws IOException {
    Path program = folder.resolve("p.rasp");
    Files.writeString(program, "v = [1, 3/2, \"x\", True][indices];");

    assertThat(
            commands
                .run("rasp", program.toString(), "--s-op", "v", "--input", "abcd", "--json")
                .strip())
        .isEqualTo(
            "{\"s_op\":\"v\",\"input\":\"abcd\",\"values\":[1,\"3/2\",\"x\",true],\"layers\":0,\"heads\":[]}");
    assertThat(commands.run("rasp", SORT, "--s-op", "sorted", "--json").strip())
        .isEqualTo(
            "{\"s_op\":\"sorted\",\"input\":null,\"values\":null,\"layers\":2,\"heads\":[2,1]}");
  }

  @Test
  void drawingsAreFiles() throws IOException {
    Path drawing = folder.resolve("new/sort.svg");

    assertThat(
            commands.run(
                "rasp", SORT, "--s-op", "sorted", "--input", "cab", "--draw", drawing.toString()))
        .endsWith(drawing + System.lineSeparator());
    assertThat(Files.readString(drawing)).startsWith("<svg").contains("sorted(\"cab\")");
  }

  private String[] documents(String sOp, String alphabet, String lengths, String file) {
    return new String[] {
      "rasp",
      SORT,
      "--s-op=" + sOp,
      "--documents=50",
      "--alphabet=" + alphabet,
      "--lengths=" + lengths,
      "--seed=7",
      "--output=" + folder.resolve(file)
    };
  }

  @Test
  void documentsHoldAnInputAndItsValues() throws IOException {
    commands.run(documents("sorted", "a-dXYZ", "1-20", "one.jsonl"));
    commands.run(documents("sorted", "a-dXYZ", "1-20", "two.jsonl"));

    List<String> lines = Files.readAllLines(folder.resolve("one.jsonl"));
    assertThat(lines).hasSize(50);
    assertThat(folder.resolve("two.jsonl")).hasSameTextualContentAs(folder.resolve("one.jsonl"));
    for (String line : lines) {
      Matcher parts = Pattern.compile("\\{\"text\":\"([a-dXYZ]{1,20})\\|(.*)\"}").matcher(line);
      assertThat(parts.matches()).as(line).isTrue();
      String sorted =
          parts
              .group(1)
              .chars()
              .sorted()
              .mapToObj(Character::toString)
              .collect(Collectors.joining());
      assertThat(parts.group(2)).isEqualTo(sorted);
    }
  }

  @Test
  void documentsOfReverseAreReversedAndEachSeedHasItsOwn() throws IOException {
    String[] words = {
      "rasp",
      "../conf/rasp/reverse.rasp",
      "--s-op=reverse",
      "--documents=50",
      "--alphabet=a-z",
      "--lengths=1-20",
      "--output=" + folder.resolve("default.jsonl")
    };
    commands.run(words);
    for (int seed : List.of(1, 2)) {
      words[6] = "--output=" + folder.resolve(seed + ".jsonl");
      commands.run(
          Stream.concat(Stream.of(words), Stream.of("--seed=" + seed)).toArray(String[]::new));
    }
    assertThat(folder.resolve("default.jsonl")).hasSameTextualContentAs(folder.resolve("1.jsonl"));
    List<String> lines = Files.readAllLines(folder.resolve("1.jsonl"));
    assertThat(lines)
        .hasSize(50)
        .isNotEqualTo(Files.readAllLines(folder.resolve("2.jsonl")))
        .allSatisfy(
            line -> {
              String[] parts = line.substring(9, line.length() - 2).split("\\|", -1);
              assertThat(parts[1]).isEqualTo(new StringBuilder(parts[0]).reverse().toString());
            });
  }

  @Test
  void truthValuesAreOneCharacterOfADocument() throws IOException {
    Path program = folder.resolve("seen.rasp");
    Files.writeString(program, "seen = has_prev(tokens);");
    String[] words = documents("seen", "ab", "1-9", "seen.jsonl");
    words[1] = program.toString();
    commands.run(words);
    assertThat(Files.readAllLines(folder.resolve("seen.jsonl")))
        .allMatch(line -> line.matches("\\{\"text\":\"([ab]{1,9})\\|F[FT]*\"}"));
  }

  @Test
  void aRangeOfOneCharacterIsThisCharacter() throws IOException {
    commands.run(documents("sorted", "a-a", "1-3", "a.jsonl"));

    assertThat(Files.readAllLines(folder.resolve("a.jsonl")))
        .allMatch(line -> line.matches("\\{\"text\":\"(a{1,3})\\|\\1\"}"));
  }

  @Test
  void documentsHaveNoOtherOutput() {
    for (String other : List.of("--json", "--input=abc", "--draw=x.svg")) {
      String[] words = documents("sorted", "a-z", "1-3", "x.jsonl");
      words = Stream.concat(Stream.of(words), Stream.of(other)).toArray(String[]::new);
      assertThat(commands.fail(2, words))
          .contains("--documents: expected no --input, --draw or --json beside it, found --");
    }
    assertThat(folder.resolve("x.jsonl")).doesNotExist();
  }

  @Test
  void documentsThatCannotBeReadAgainAreRefused() throws IOException {
    assertThat(commands.fail(2, documents("sorted", "a|b", "1-20", "x.jsonl")))
        .contains("--separator: expected one character that is not in the alphabet a|b, found |");
    assertThat(commands.fail(2, documents("sorted", "z-a", "1-20", "x.jsonl")))
        .contains("--alphabet: expected ranges such as a-z, found z-a");
    assertThat(commands.fail(2, documents("sorted", "a-z", "20-1", "x.jsonl")))
        .contains("--lengths: expected a range such as 1-20, found 20-1");
    assertThat(commands.fail(2, documents("indices", "a-z", "12-12", "x.jsonl")))
        .contains("--s-op: expected values of one character");
    assertThat(folder.resolve("x.jsonl")).doesNotExist();
  }

  @Test
  void mistakesEndWithExitCodeTwo() {
    assertThat(commands.fail(2, "rasp", SORT, "--s-op", "sort"))
        .contains("sort.rasp: expected the s-op `sort`, found the function sort;");
    assertThat(commands.fail(2, "rasp", SORT, "--s-op", "sortd"))
        .contains("found no such name (did you mean `sorted`?)");
    assertThat(commands.fail(2, "rasp", SORT, "--s-op", "sorted", "--draw", "x.svg"))
        .contains("--draw: expected an input");
    assertThat(commands.fail(2, "rasp", SORT, "--s-op", "sorted", "--input", ""))
        .contains("the input: expected at least one character");
    assertThat(commands.fail(2, "rasp", "missing.rasp", "--s-op", "a")).contains("no such file");
  }
}
