package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.ResultFile;

/** {@code evaluate --protocol answers} with a model that answers with the last token of x. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AnswersIT {
  private static final String[] ONLY_TEST = {
    "--tokenizer=bytes",
    "--set=split.train=0.01",
    "--set=split.validation=0.01",
    "--set=split.test=0.98"
  };

  @TempDir private static Path folder;

  private final CommandRunner commands = new CommandRunner();

  /** Questions of two tokens have the model's answer, and of three tokens the next letter. */
  @BeforeAll
  static void constructAndPrepare() throws IOException {
    StringBuilder lines = new StringBuilder();
    StringBuilder documents = new StringBuilder();
    for (char letter = 'a'; letter <= 'y'; letter++) {
      lines.append("%c|%c%n".formatted(letter, letter));
      documents.append("{\"text\":\"a%c|%c\"}%n".formatted(letter, letter));
      documents.append("{\"text\":\"ab%c|%c\"}%n".formatted(letter, letter + 1));
    }
    lines.append("z|z\n");
    Files.writeString(folder.resolve("lines.txt"), lines);
    Files.writeString(folder.resolve("questions.jsonl"), documents);
    CommandRunner commands = new CommandRunner();
    commands.run(
        "construct",
        "--order=3",
        option("--text", "lines.txt"),
        "--smoothing=none",
        option("--output", "last"));
    commands.run(prepare("questions.jsonl", "questions"));
  }

  private static String[] prepare(String input, String output) {
    return Stream.concat(
            Stream.of("prepare", option("--input", input), option("--output", output)),
            Stream.of(ONLY_TEST))
        .toArray(String[]::new);
  }

  private static String option(String option, String name) {
    return option + "=" + folder.resolve(name);
  }

  private static String[] evaluate(String output, String... more) {
    return Stream.concat(
            Stream.of(
                "evaluate",
                option("--checkpoint", "last"),
                option("--data", "questions"),
                "--protocol=answers",
                option("--output", output)),
            Stream.of(more))
        .toArray(String[]::new);
  }

  @Test
  void answersAndTokensAreCountedAtEachLength() throws IOException {
    String[] words =
        evaluate("results/one", "--lengths=2,3", "--samples=20", "--set=trained_length=2");
    String printed = commands.run(words);
    assertThat(printed)
        .contains(
            "n-gram-3-heads seed 0, answers at 2: accuracy 100.00 % (0 errors in 20 strings, 95 %"
                + " interval 83.89 to 100.00), right tokens 100.00 %")
        .contains(" at 3: accuracy 0.00 % (20 errors in 20 strings,", "right tokens 50.00 %");
    List<AccuracyResult> results = ResultFile.ACCURACIES.values(folder.resolve("results/one"));
    assertThat(results)
        .extracting(result -> result.share(1))
        .containsExactly(new Share("tokens", 40, 40), new Share("tokens", 20, 40));
    assertThat(commands.run(words)).isEqualTo(printed);

    commands.run("report", option("--results", "results"), option("--output", "report"));
    assertThat(folder.resolve("report/table.md"))
        .content()
        .contains(
            "| n-gram-3-heads | questions | 2 | 1 | 100.00 (83.89–100.00) | 100.00 | 0 of 20 |"
                + " 100.00 (83.89–100.00) |",
            "| n-gram-3-heads | questions | 3 | 1 | 0.00 (0.00–16.11) | 0.00 | 20 of 20 | 50.00"
                + " (29.93–70.07) |");
    assertThat(folder.resolve("report/accuracy-questions-answers.svg")).isNotEmptyFile();
  }

  @Test
  void questionsThatTheDataLacksAreReported() {
    assertThat(commands.fail(3, evaluate("none", "--lengths=2,4", "--samples=20")))
        .contains(
            "test split: expected 20 documents with 4 tokens before the separator 124, found 0");
    assertThat(commands.fail(3, evaluate("none", "--lengths=2", "--samples=20", "--separator=59")))
        .contains("before the separator 59, found 0");
    assertThat(commands.fail(2, evaluate("none", "--lengths=2", "--separator=256")))
        .contains("separator: expected a token that is not the end of text, found 256");
    assertThat(commands.fail(2, evaluate("none", "--lengths=2", "--baseline=kneser-ney-3")))
        .contains("--baseline: expected none for answers");
    assertThat(commands.fail(2, evaluate("none", "--lengths=2", "--position-scaling=ntk")))
        .contains("--position-scaling: expected none for answers");
  }

  @Test
  void documentsOfAProgramArePreparedAndRead() throws IOException {
    commands.run(
        "rasp",
        CommandRunner.HOME.resolve("conf/rasp/reverse.rasp").toString(),
        "--s-op=reverse",
        "--documents=60",
        "--alphabet=a-c",
        "--lengths=4-5",
        "--seed=1",
        option("--output", "reverse.jsonl"));
    commands.run(prepare("reverse.jsonl", "reverse"));
    assertThat(
            commands.run(
                "evaluate",
                option("--checkpoint", "last"),
                option("--data", "reverse"),
                "--protocol=answers",
                "--lengths=4,5",
                "--samples=10",
                option("--output", "reversed")))
        .contains("answers at 4: accuracy ", "answers, mean of 2 lengths: accuracy ");
  }
}
