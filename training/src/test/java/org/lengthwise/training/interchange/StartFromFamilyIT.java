package org.lengthwise.training.interchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.task.SmallTask;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.StartingPoint;
import org.lengthwise.training.loop.TrainingRun;

/** Models of all families, stored in bfloat16, are trained on and exported again. */
class StartFromFamilyIT {
  private static final Path CONF = Path.of("../conf").toAbsolutePath().normalize();
  private static final int[] TOKENS = new Random(5).ints(20, 0, FamilyFolders.VOCABULARY).toArray();

  @TempDir private Path folder;

  private Checkpoint trained(Path model, String run, int steps) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("stage.yaml"),
            """
            extends: [%s/second-stage.yaml]
            training: {length: 24, batch: 2, precision: float32, device: cpu, tensorboard: false}
            """
                .formatted(CONF));
    List<String> settings =
        List.of("start.checkpoint=" + model, "training.steps=" + steps, "name=" + run);
    TrainingConfig config =
        StartingPoint.under(ConfigLoader.load(file, settings)).bind(TrainingConfig.class);
    Task task = SmallTask.of(config, ModelFolder.open(model).origin().tokenizer());
    Path output = folder.resolve(run);
    return Checkpoint.open(
        TrainingRun.advance(config, task, output, false, () -> false).checkpoint());
  }

  private static double[] nlls(Checkpoint checkpoint) throws IOException {
    return Scores.fast(
        checkpoint,
        Arrays.copyOf(TOKENS, TOKENS.length - 1),
        Arrays.copyOfRange(TOKENS, 1, TOKENS.length));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"llama", "neox", "mistral", "qwen2", "qwen3", "opt", "bloom", "mpt", "gpt2"})
  void aModelOfAFamilyIsTrainedOn(String family) throws IOException {
    Path model =
        FamilyFolders.write(
            Files.createDirectories(folder.resolve("model")),
            FamilyFolders.of(family),
            FamilyFolders.Format.BF16);
    Checkpoint source = ModelFolder.open(model).widened();

    assertThat(nlls(trained(model, "none", 0))).isEqualTo(nlls(source));

    Checkpoint stepped = trained(model, "one", 1);
    assertThat(nlls(stepped)).isNotEqualTo(nlls(source));
    Path exported = folder.resolve("exported");
    CheckpointExport.write(stepped, family.equals("neox") ? "gpt_neox" : family, exported);
    assertThat(nlls(ModelFolder.open(exported))).isEqualTo(nlls(stepped));
  }
}
