package org.lengthwise.report.training;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.report.form.TableText;
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
        0.5,
        Double.NaN,
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
  void theTableOfTrainingsHasTheRangeOfBiasesAndTheRangeThatTheyNeed() {
    TableText table = ModelTable.ofTraining(List.of(trained("regulargpt-16-2", 16, 2.64)));
    assertThat(MarkdownTable.of(List.of(table))).contains("| – | 1.32 (2.71) |");
  }
}
