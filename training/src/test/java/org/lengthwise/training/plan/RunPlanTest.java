package org.lengthwise.training.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.training.config.TrainingConfig;

class RunPlanTest {
  private static final int GPT2_VOCABULARY = 50_257;

  private static RunPlan plan(String name, RunPlan.Machine machine) {
    TrainingConfig config =
        ConfigLoader.load(Path.of("../conf/train", name + ".yaml"), List.of())
            .bind(TrainingConfig.class);
    return new RunPlan(config, config.modelConfig(GPT2_VOCABULARY), 1_000_000, machine);
  }

  private static RunPlan.Machine unknown(int numReplicas) {
    return new RunPlan.Machine(numReplicas, 0, OptionalDouble.empty());
  }

  @ParameterizedTest
  @CsvSource({"regulargpt-128-6, 81.13 M, 9216, 12", "regulargpt-128-12, 123.65 M, 18432, 24"})
  void paperModelsHaveThePaperSize(String name, String parameters, int positional, int executed) {
    assertThat(plan(name, unknown(1)).lines())
        .contains(
            "parameters   %s, and %,d of the positional scheme".formatted(parameters, positional))
        .anyMatch(line -> line.startsWith("layers       " + executed + " executed at 512 tokens"));
  }

  @Test
  void tokensAndEpochsFollowFromTheSteps() {
    RunPlan plan = plan("alibi", unknown(1));
    assertThat(plan.numTokens()).isEqualTo(50_000L * 32 * 512);
    assertThat(plan.numEpochs()).isEqualTo(1.6);
  }

  @Test
  void replicasShareTheActivationsButNotTheState() {
    RunPlan one = plan("alibi", unknown(1));
    RunPlan four = plan("alibi", unknown(4));
    assertThat(four.stateBytes()).isEqualTo(one.stateBytes()).isEqualTo(16 * 123_653_376L);
    assertThat(four.activationBytes() * 4).isEqualTo(one.activationBytes());
  }

  @Test
  void copyForCheckpointsTakesWeightsAndMomentsOfTheHost() {
    // 12 bytes for each of 123.65 million numbers
    assertThat(plan("alibi", unknown(2)).lines())
        .anyMatch(line -> line.contains("and 1.5 GB of the host's, once, for the copy"));
  }

  @Test
  void windowsKeepTheirKeysPairedForTheBackwardPass() {
    // twice as many layers, and keys and values of two blocks (4 d) besides the usual 20 d
    assertThat(plan("regulargpt-128-12", unknown(1)).activationBytes())
        .isEqualTo(plan("alibi", unknown(1)).activationBytes() * 2 * 24 / 20);
  }

  @Test
  void timeIsToldWhereThePeakIsKnown() {
    RunPlan plan = plan("alibi", new RunPlan.Machine(2, 2, OptionalDouble.of(1e15)));
    double seconds = plan.flopsPerStep() * 50_000 / 2e15;
    assertThat(plan.secondsAtPeak().orElseThrow()).isCloseTo(seconds, within(1e-6));
    assertThat(plan.lines()).anyMatch(line -> line.contains("h at 40 % of the devices' peak"));
    assertThat(plan("alibi", unknown(1)).lines())
        .contains("time         not known, as the devices' peak is not");
  }
}
