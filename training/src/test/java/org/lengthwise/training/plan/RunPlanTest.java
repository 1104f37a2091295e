package org.lengthwise.training.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.Count;
import org.lengthwise.model.BlockRecurrence;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Recurrence;
import org.lengthwise.model.Staircase;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.device.Libtorch;

class RunPlanTest {
  private static final int GPT2_VOCABULARY = 50_257;

  private static RunPlan plan(String name, RunPlan.Machine machine) {
    TrainingConfig config =
        ConfigLoader.load(Path.of("../conf/train", name + ".yaml"), List.of())
            .bind(TrainingConfig.class);
    return new RunPlan(
        config, config.modelConfig(GPT2_VOCABULARY), OptionalLong.of(1_000_000), machine);
  }

  private static RunPlan.Machine unknown(int numReplicas) {
    return new RunPlan.Machine(
        false, numReplicas, 0, Optional.of(new Libtorch("2.7.1", false)), OptionalDouble.empty());
  }

  private static RunPlan.Machine gpus(int number, OptionalDouble peakFlops) {
    return new RunPlan.Machine(
        true, number, number, Optional.of(new Libtorch("2.7.1", true)), peakFlops);
  }

  @ParameterizedTest
  @CsvSource({"regulargpt-128-6, 81.13 M, 9216, 12", "regulargpt-128-12, 123.65 M, 18432, 24"})
  void paperModelsHaveThePaperSize(String name, String parameters, int positional, int executed) {
    assertThat(plan(name, unknown(1)).lines())
        .contains(
            "parameters   %s, and %s for the positional scheme"
                .formatted(parameters, Count.of(positional)))
        .anyMatch(line -> line.endsWith(" blocks; " + executed + " executed layers at 512 tokens"));
  }

  @Test
  void aRunThatCannotLearnItsTableGetsAWarning() {
    TrainingConfig shortened =
        ConfigLoader.load(
                Path.of("../conf/train/regulargpt-128-6.yaml"), List.of("training.steps=6000"))
            .bind(TrainingConfig.class);
    RunPlan plan =
        new RunPlan(
            shortened, shortened.modelConfig(GPT2_VOCABULARY), OptionalLong.empty(), unknown(1));
    assertThat(plan.lines())
        .anyMatch(line -> line.startsWith("warning      ") && line.contains("about 1.98"));
    assertThat(plan("regulargpt-128-6", unknown(1)).lines())
        .as("50,000 steps reach 16.5, more than ln(127) = 4.84")
        .noneMatch(line -> line.startsWith("warning"));
  }

  @Test
  void aRunThatTrainsNoRecurrenceGetsAWarning() {
    for (int chunk : List.of(511, 512)) {
      TrainingConfig config =
          ConfigLoader.load(
                  Path.of("../conf/train/none.yaml"),
                  List.of("recurrence={kind: staircase, chunk: %s, passes: 2}".formatted(chunk)))
              .bind(TrainingConfig.class);
      RunPlan plan =
          new RunPlan(
              config, config.modelConfig(GPT2_VOCABULARY), OptionalLong.empty(), unknown(1));
      assertThat(plan.lines().stream().filter(line -> line.startsWith("warning")))
          .as("chunks of %d, sequences of 512", chunk)
          .hasSize(chunk == 512 ? 1 : 0);
    }
  }

  /** A copy of each row is what a Staircase adds to a decoder. */
  @ParameterizedTest
  @CsvSource({"512", "1024", "2048", "4096"})
  void memoryOfRecurrentTrainingIsLinearInTheLength(int length) {
    ModelConfig plain = new ModelConfig(2, 128, 4, 257, new NoPosition());
    for (Recurrence recurrence : List.of(new Staircase(32, 2), new BlockRecurrence(32, 32, 1))) {
      ModelConfig model = plain.with(recurrence);
      double perToken = (double) activationBytes(model, length) / length;
      assertThat(perToken)
          .as("%s at %d", recurrence.label(), length)
          .isCloseTo(activationBytes(model, 512) / 512.0, withinPercentage(10));
    }
  }

  /** Each of 12 layers has a matrix for each head and three rows before the convolution. */
  @Test
  void carriedStatesCountOnTheDeviceAndOnTheHost() {
    List<RunPlan> plans = new ArrayList<>();
    for (String states : List.of("zero", "carried")) {
      TrainingConfig config =
          ConfigLoader.load(
                  Path.of("../conf/train/none.yaml"),
                  List.of(
                      "position={scheme: linear, member: gated-deltanet}",
                      "training.states=" + states,
                      "training.batch=512",
                      "training.micro_batch=8"))
              .bind(TrainingConfig.class);
      plans.add(
          new RunPlan(
              config, config.modelConfig(GPT2_VOCABULARY), OptionalLong.empty(), unknown(1)));
    }
    long ofOne = 4L * 12 * (12 * 64 * 64 + 3 * 3 * 768);
    assertThat(plans.get(1).deviceBytes() - plans.get(0).deviceBytes())
        .isEqualTo(ofOne * (512 + 8));
    assertThat(plans.get(0).lines()).anyMatch(line -> line.contains("and 1.6 GB on the host"));
    assertThat(plans.get(1).lines()).anyMatch(line -> line.contains("and 3.0 GB on the host"));
  }

  @Test
  void aResidualStreamInBfloat16HalvesTheInputsOfBothNorms() {
    ModelConfig model = new ModelConfig(2, 128, 4, 257, new NoPosition());
    Numerics wide = Numerics.of(Precision.BFLOAT16);
    Numerics narrow = new Numerics(Precision.BFLOAT16, Precision.BFLOAT16, false);
    assertThat(
            new MemoryEstimate(model, 512, 8, wide, 0, true).activationBytes()
                - new MemoryEstimate(model, 512, 8, narrow, 0, true).activationBytes())
        .isEqualTo(2 * 2 * Short.BYTES * 128 * 512 * 8);
  }

  private static long activationBytes(ModelConfig model, int length) {
    return new MemoryEstimate(
            model, length, 8, Numerics.of(Precision.FLOAT32), model.numParameters(), false)
        .activationBytes();
  }

  @Test
  void tokensAndEpochsFollowFromTheSteps() {
    RunPlan plan = plan("alibi", unknown(1));
    assertThat(plan.config().numTokens()).isEqualTo(50_000L * 32 * 512);
    assertThat(plan.numEpochs()).hasValue(1.6);
  }

  @Test
  void operationsCountAllExecutedLayers() {
    assertThat(plan("regulargpt-128-12", unknown(1)).flopsPerStep())
        .isCloseTo(2.2372e13, withinPercentage(0.01));
    assertThat(plan("alibi", unknown(1)).flopsPerStep())
        .isCloseTo(1.30832e13, withinPercentage(0.01));
  }

  @Test
  void classifierOfStringsCountsTheRowsOfTheTree() {
    TrainingConfig parity =
        ConfigLoader.load(
                Path.of("../conf/regular/parity-regulargpt-2.yaml"), List.of("model.width=256"))
            .bind(TrainingConfig.class);
    RunPlan plan = new RunPlan(parity, parity.modelConfig(2), OptionalLong.empty(), unknown(1));
    // 28 T d^2 operations forward, three times that with gradients; T is 20.5 on average.
    assertThat(plan.flopsPerStep()).isCloseTo(3 * 28 * 20.5 * 256 * 256 * 128, withinPercentage(6));
    assertThat(plan.lines())
        .contains("tokens       3,936,000 in 1,500 steps of 128 x 1 to 40")
        .anyMatch(
            line -> line.contains(" MB on each device, without the engine: 12.6 for weights"));
  }

  @Test
  void copyForCheckpointsHoldsWeightsAndMomentsOnTheHost() {
    // 12 bytes for each of 123.65 million numbers
    assertThat(plan("alibi", unknown(2)).lines())
        .anyMatch(line -> line.contains("and 1.5 GB on the host for the copy"));
  }

  @Test
  void memoryIsPrintedForOneDevice() {
    RunPlan.Machine gpu = gpus(1, OptionalDouble.empty());
    assertThat(plan("alibi", gpu).lines())
        .contains(
            "memory       about 9.2 GB on each device, without the engine: 2.0 for weights,"
                + " gradients and moments, 5.9 for activations, 1.3 for the loss");
  }

  @Test
  void devicesAreNamedWithTheLibtorchThatFindsThem() {
    assertThat(plan("alibi", unknown(1)).lines())
        .contains("devices      gpu:0, 1 replica; 0 CUDA devices found, libtorch 2.7.1 for CPUs");
    assertThat(plan("alibi", gpus(2, OptionalDouble.empty())).lines())
        .contains("devices      gpu:0, 2 replicas; 2 CUDA devices found, libtorch 2.7.1 for CUDA");
  }

  @Test
  void replicasThatShareADeviceAddUp() {
    RunPlan.Machine gpus = gpus(4, OptionalDouble.empty());
    RunPlan alibi = plan("alibi", unknown(4));
    assertThat(alibi.deviceBytes()).isGreaterThan(4 * 16 * 123_653_376L);
    assertThat(plan("alibi", gpus).deviceBytes()).isBetween(4_000_000_000L, 5_000_000_000L);
    assertThat(alibi.lines()).anyMatch(line -> line.endsWith("; replicas on the device: 4"));
  }

  @Test
  void timeIsPrintedIfThePeakIsKnown() {
    RunPlan plan = plan("alibi", gpus(2, OptionalDouble.of(1e15)));
    assertThat(plan.secondsAtPeak().orElseThrow()).isCloseTo(327.1, within(0.1));
    assertThat(plan.lines())
        .contains("time         0.2 h at 40 % of the peak of the devices, 0.1 h at the peak");
    assertThat(plan("alibi", unknown(1)).lines())
        .contains("time         unknown, because the peak of the devices is unknown");
  }
}
