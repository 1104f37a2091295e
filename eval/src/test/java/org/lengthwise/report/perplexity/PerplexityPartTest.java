package org.lengthwise.report.perplexity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.NullNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.training.LossCurve;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.FinishedResults;
import org.lengthwise.result.Located;
import org.lengthwise.result.Protocol;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.Samples;
import org.lengthwise.training.optimizer.TableReach;

class PerplexityPartTest {
  /** Two runs on test sets of their own tokenizers, each with the size of its targets' text. */
  @Test
  void runsOfSeveralTokenizersHaveNoTableOfPerplexities() throws IOException {
    List<Located<EvaluationResult>> found = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      String run = List.of("t5", "pythia").get(i);
      for (int length : List.of(128, 256)) {
        EvaluationResult result =
            EvaluationResult.of(
                Samples.checkpoint(run, 1),
                Protocol.ALIGNED,
                false,
                length,
                Samples.scored(length, 16, 200, 1),
                ("a" + i).repeat(32));
        EvaluationResult.Text text =
            new EvaluationResult.Text(200L * (1 + 3 * i), ("b" + i).repeat(32));
        found.add(new Located<>(Path.of("nowhere/results.jsonl"), 1 + i, result.with(text)));
      }
    }

    PerplexityPart part = PerplexityPart.of(found, List.of(), TableStatisticsTest.RULES);
    List<Section> sections = part.sections(new Looks(List.of("t5", "pythia")));

    assertThat(sections)
        .extracting(Section::heading)
        .containsExactly("Bits per byte against length, aligned protocol");
    assertThat(sections.get(0).charts()).isEmpty();
    assertThat(sections.get(0).tables())
        .singleElement()
        .satisfies(
            table -> {
              assertThat(table.rows().get(0))
                  .extracting(entry -> entry.text())
                  .containsExactly("128", "4.0000", "1.0000");
              assertThat(String.join(" ", table.caption()))
                  .contains("The runs have several tokenizers", "Protocol aligned: ");
            });
    assertThat(part.verdicts()).isEmpty();
    assertThat(part.estimates()).isEmpty();
    assertThat(part.files()).containsOnlyKeys("table.csv");
  }

  @Test
  void aVerdictOnATableThatCouldNotBeLearnedStandsBesideTheWarning(@TempDir Path root)
      throws IOException {
    Samples.write(root.resolve("t5"), "t5", 1, Map.of(128, 5.0, 256, 9.0));
    LossCurve none = new LossCurve(List.of(), List.of());
    List<TrainedRun> trained =
        List.of(
            new TrainedRun(
                "t5",
                1,
                NullNode.getInstance(),
                Optional.of(new TableReach("table", true, 32, 0.33)),
                OptionalDouble.of(0.165),
                Double.NaN,
                Double.NaN,
                none,
                none));
    String warning = TrainedRun.warning(trained).orElseThrow();

    List<Section> sections =
        PerplexityPart.of(
                FinishedResults.under(List.of(root)).of(ResultFile.EVALUATIONS),
                trained,
                TableStatisticsTest.RULES)
            .sections(new Looks(List.of("t5")));

    assertThat(sections.get(0).heading()).isEqualTo("What was found");
    assertThat(sections.get(0).blocks()).contains(new Section.Note(warning, true));
    assertThat(sections.stream().flatMap(Section::tables))
        .filteredOn(table -> table.title().startsWith("Beyond the training length"))
        .singleElement()
        .satisfies(table -> assertThat(table.caption()).contains(warning));
  }

  /** A published folder often has the results without the losses of single tokens. */
  @Test
  void withoutSingleLossesAnAnswerHasTheRangeOfItsSeeds(@TempDir Path root) throws IOException {
    for (int seed = 1; seed <= 2; seed++) {
      Path folder = root.resolve("seed" + seed);
      Samples.write(folder, "t5", seed, Map.of(128, 4.0 * seed, 256, 8.0 * seed));
      try (DirectoryStream<Path> losses = Files.newDirectoryStream(folder, "nll-*.arrow")) {
        for (Path file : losses) {
          Files.delete(file);
        }
      }
    }

    List<Question> questions =
        PerplexityPart.of(
                FinishedResults.under(List.of(root)).of(ResultFile.EVALUATIONS),
                List.of(),
                TableStatisticsTest.RULES)
            .questions();

    assertThat(questions)
        .extracting(Question::title)
        .containsExactly("perplexity at 128", "perplexity at 256");
    assertThat(questions.get(1).answers())
        .singleElement()
        .satisfies(
            answer -> {
              assertThat(answer.value()).isCloseTo(8 * Math.sqrt(2), within(0.01));
              assertThat(answer.interval().low()).isCloseTo(8, within(0.01));
              assertThat(answer.interval().high()).isCloseTo(16, within(0.01));
              assertThat(answer.seeds()).isEqualTo(2);
            });
  }
}
