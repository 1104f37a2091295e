package org.lengthwise.report.perplexity;

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
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.training.LossCurve;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.result.FinishedResults;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.Samples;
import org.lengthwise.training.optimizer.TableReach;

class PerplexityPartTest {
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
}
