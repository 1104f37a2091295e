package org.lengthwise.training.interchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;
import org.lengthwise.positional.Rotary;
import org.lengthwise.task.SmallTask;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.config.Bos;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.StartConfig;
import org.lengthwise.training.config.TrainingConfig;

/**
 * The angles of a model that was trained on with a scaling equal those that Hugging Face's library
 * computes from the exported config.json. Its formulas stand here a second time.
 */
class StartedAnglesTest {
  private static final int HEAD = 32;
  private static final int OLD = 64;
  private static final int NEW = 256;

  @ParameterizedTest
  @CsvSource({
    "none, 1, 1",
    "linear, 4, 1",
    "linear:3, 3, 1",
    "ntk, 4, 1",
    "yarn, 4, 1.1386294",
    "yarn:16, 16, 1.2772589",
    "dynamic:2, 2, 1",
    "llama3, 8, 1"
  })
  void anglesEqualThoseOfTheExportedConfig(String scaling, double factor, double attention)
      throws IOException {
    RunDescription run = started(scaling);
    ModelConfig model = CheckpointExport.withoutNtk(run.model());
    ObjectNode json = FamilyWriter.write(Family.GPT_NEOX, model, run);
    Rotary trained = (Rotary) run.model().position();
    for (long length : List.of(100, OLD, NEW, 3 * NEW)) {
      assertThat(trained.frequencies(HEAD, length))
          .as("at %s of %s", length, json)
          .containsExactly(theirs(json, length), within(1e-12));
      assertThat(trained.stretch(length)).isCloseTo(attention, within(1e-6));
    }
    assertThat(json.path("rope_scaling").path("factor").asDouble(factor)).isEqualTo(factor);
  }

  private static RunDescription started(String scaling) {
    boolean isLlama = scaling.equals("llama3");
    Rope rope = new Rope(10_000);
    Rope own = new Rope(10_000, 1, new RopeScaling.Llama3(8, 1, 4, OLD), null);
    TrainingConfig config = stage(isLlama ? own : rope, isLlama ? "none" : scaling, OLD, NEW);
    return RunDescription.of(
        config, SmallTask.of(config, new TokenizerIdentity("test", "0".repeat(64), 257, 256)));
  }

  private static TrainingConfig stage(Rope rope, String scaling, int before, int length) {
    StartConfig start =
        new StartConfig(
            "runs/rope",
            StartConfig.Choice.NEWEST,
            StartConfig.Moments.RESET,
            PositionScaling.of(scaling),
            Bos.AUTO,
            before,
            0,
            null);
    return new TrainingConfig(
            "longer",
            1,
            new TrainingConfig.ModelSize(1, 2 * HEAD, 2),
            rope,
            OptimizerConfig.of(1e-4),
            Loops.of(length, 1, 5))
        .startingAt(start);
  }

  /** The source of the third was trained at 64 positions, and with YaRN at 256. */
  @Test
  void aThirdStageExtendsTheScalingOfTheSecond() {
    Rope second = new Rope(10_000, 1, new RopeScaling.Yarn(4, OLD), null);
    assertThat(stage(second, "yarn", NEW, 4 * NEW).position())
        .isEqualTo(new Rope(10_000, 1, new RopeScaling.Yarn(16, OLD), null));
  }

  /** As when a run's description is read again. */
  @ParameterizedTest
  @ValueSource(strings = {"linear", "ntk", "yarn", "dynamic:4", "linear:3"})
  void aStageThatIsConstructedAgainIsTheSame(String scaling) {
    TrainingConfig config = stage(new Rope(10_000), scaling, OLD, NEW);
    assertThat(config.startingAt(config.stage().orElseThrow())).isEqualTo(config);
  }

  private static double[] theirs(JsonNode json, long length) {
    JsonNode scaling = json.path("rope_scaling");
    double factor = scaling.path("factor").asDouble(1);
    double base = json.path("rotary_emb_base").doubleValue();
    String type = scaling.path("rope_type").asText("default");
    if (type.equals("dynamic")) {
      int longest = json.path("max_position_embeddings").intValue();
      double read = Math.max(length, longest);
      double grown = factor * read / longest - (factor - 1);
      base *= Math.pow(grown, HEAD / (HEAD - 2.0));
    }
    double theta = base;
    return IntStream.range(0, HEAD / 2)
        .mapToDouble(
            i -> {
              double plain = 1 / Math.pow(theta, 2.0 * i / HEAD);
              return switch (type) {
                case "linear" -> plain / factor;
                case "yarn" -> yarn(scaling, i, plain, theta);
                case "llama3" -> llama3(scaling, plain);
                default -> plain;
              };
            })
        .toArray();
  }

  private static double yarn(JsonNode scaling, int pair, double plain, double base) {
    double original = scaling.path("original_max_position_embeddings").doubleValue();
    double low = Math.max(0, Math.floor(pairOf(scaling.path("beta_fast"), original, base)));
    double high = Math.min(HEAD - 1, Math.ceil(pairOf(scaling.path("beta_slow"), original, base)));
    double ramp = Math.min(1, Math.max(0, (pair - low) / (high - low)));
    double interpolated = plain / scaling.path("factor").doubleValue();
    return interpolated * ramp + plain * (1 - ramp);
  }

  private static double pairOf(JsonNode rotations, double original, double base) {
    return HEAD
        * Math.log(original / (rotations.doubleValue() * 2 * Math.PI))
        / (2 * Math.log(base));
  }

  private static double llama3(JsonNode scaling, double plain) {
    double original = scaling.path("original_max_position_embeddings").doubleValue();
    double lowFactor = scaling.path("low_freq_factor").doubleValue();
    double highFactor = scaling.path("high_freq_factor").doubleValue();
    double factor = scaling.path("factor").doubleValue();
    double wave = 2 * Math.PI / plain;
    if (wave < original / highFactor) {
      return plain;
    }
    if (wave > original / lowFactor) {
      return plain / factor;
    }
    double smooth = (original / wave - lowFactor) / (highFactor - lowFactor);
    return (1 - smooth) * plain / factor + smooth * plain;
  }
}
