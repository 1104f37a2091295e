package org.lengthwise.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.result.FinishedResults;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.Samples;
import org.lengthwise.training.optimizer.TableReach;

class TrainedRunTest {
  private static TrainedRun trained(String run, int numEntries, double nats) {
    return trained(run, numEntries, nats, nats / 2);
  }

  private static TrainedRun trained(String run, int numEntries, double nats, double range) {
    LossCurve none = new LossCurve(List.of(), List.of());
    return new TrainedRun(
        run,
        1,
        NullNode.getInstance(),
        Optional.of(new TableReach("table", true, numEntries, nats)),
        OptionalDouble.of(range),
        none,
        none);
  }

  /** ln 15 = 2.71 is above 2.64, and ln 7 = 1.95 is below. */
  @Test
  void runsThatCouldNotLearnTheirTableAreNamedOnce() {
    TrainedRun large = trained("regulargpt-16-2", 16, 2.64);
    TrainedRun small = trained("regulargpt-8-2", 8, 2.64);
    TrainedRun t5 = trained("t5", 32, 0.33);
    assertThat(TrainedRun.warning(List.of(large, large, small, t5)))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .startsWith("Warning: ")
                    .containsOnlyOnce(
                        "RegularGPT 16/2 (moved by at most 2.64, needs ln 15 = 2.71), T5 (moved by"
                            + " at most 0.33, needs ln 31 = 3.43). ")
                    .doesNotContain("8/2"));
    assertThat(TrainedRun.warning(List.of(small))).isEmpty();
  }

  @Test
  void aTableWhoseBiasesMovedApartFarEnoughIsNotNamed() {
    assertThat(TrainedRun.warning(List.of(trained("t5", 32, 2.45, 3.40)))).isPresent();
    assertThat(TrainedRun.warning(List.of(trained("t5", 32, 2.45, 3.91)))).isEmpty();
  }

  @Test
  void aVerdictOnATableThatCouldNotBeLearnedStandsBesideTheWarning(@TempDir Path root)
      throws IOException {
    Samples.write(root.resolve("t5"), "t5", 1, Map.of(128, 5.0, 256, 9.0));
    FinishedResults found = FinishedResults.under(List.of(root));
    Comparison comparison = Comparison.of(found.of(ResultFile.EVALUATIONS));
    TableStatistics statistics =
        TableStatistics.of(
            comparison.tables().get(0),
            IndividualScores.read(found.of(ResultFile.EVALUATIONS)),
            TableStatisticsTest.CONFIG);
    List<TrainedRun> trained = List.of(trained("t5", 32, 0.33));
    String warning = TrainedRun.warning(trained).orElseThrow();

    List<Section> sections =
        Sections.of(
            new ReportContent(
                comparison,
                List.of(statistics),
                List.of(),
                List.of(),
                List.of(),
                trained,
                TableStatisticsTest.CONFIG));

    assertThat(sections.get(0).heading()).isEqualTo("What was found");
    assertThat(sections.get(0).blocks()).contains(new Section.Note(warning, true));
    assertThat(sections.stream().flatMap(Section::tables))
        .filteredOn(table -> table.title().startsWith("Beyond the training length"))
        .singleElement()
        .satisfies(table -> assertThat(table.caption()).contains(warning));
  }

  @Test
  void theTableOfTrainingsHasTheRangeOfBiasesAndTheRangeThatTheyNeed() {
    TableText table = ModelTable.ofTraining(List.of(trained("regulargpt-16-2", 16, 2.64)));
    assertThat(MarkdownTable.of(List.of(table))).contains("| – | 1.32 (2.71) |");
  }
}
