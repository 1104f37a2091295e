package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.TrainingConfig;

/** Runs on recall tasks, through the same trainer as runs on a text. */
class RecallTrainingIT {
  @TempDir private Path folder;

  private static TrainingConfig config(String task, String... settings) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "model.layers=1",
                "model.width=16",
                "training.batch=16",
                "training.micro_batch=4",
                "training.steps=40",
                "training.metrics_interval=1",
                "training.validation={interval: 20, sequences: 100}",
                "training.checkpoint={interval: 20, keep: 4}"));
    all.addAll(List.of(settings));
    return ConfigLoader.load(Path.of("../conf/task/" + task + ".yaml"), all)
        .bind(TrainingConfig.class);
  }

  private Trainer.Result train(String name, TrainingConfig config, BooleanSupplier stop)
      throws IOException {
    Task task = Task.of(config, new ShardSource(null));
    return TrainingRun.advance(config, task, folder.resolve(name), true, stop);
  }

  private <M extends Metrics> List<M> metrics(String run, Class<M> kind) throws IOException {
    List<M> lines = new ArrayList<>();
    for (String line : Files.readAllLines(new RunFolder(folder.resolve(run)).metrics())) {
      Metrics metrics = MetricsFile.parse(line);
      if (kind.isInstance(metrics)) {
        lines.add(kind.cast(metrics));
      }
    }
    return lines;
  }

  @ParameterizedTest
  @CsvSource({
    "mqar, 102208",
    "copy, 201920",
    "reverse, 201920",
    "selective_copy, 201344",
    "induction, 101184",
    "passkey, 103040",
    "flipflop, 100416"
  })
  void modelsHaveTheStatedNumberOfParameters(String name, long parameters) {
    TrainingConfig config =
        ConfigLoader.load(Path.of("../conf/task/" + name + ".yaml"), List.of())
            .bind(TrainingConfig.class);
    Task task = Task.of(config, new ShardSource(null));
    assertThat(config.modelConfig(task.vocabulary()).numParameters()).isEqualTo(parameters);
  }

  @Test
  void lossIsTheMeanOverTheTargetsOnly() {
    TrainingConfig config = config("flipflop");
    Task task = Task.of(config, new ShardSource(null));
    try (Weights weights =
            Weights.initialise(
                config.modelConfig(task.vocabulary()), new RandomStreams(3), Device.cpu());
        LanguageModel model =
            LanguageModel.of(config.modelConfig(task.vocabulary()), weights, Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
      Samples samples = task.training(0, 4);
      Task.Batch batch = samples.on(manager);
      NDArray x_Nd = model.hidden(model.embed(batch.tokens_BT())).reshape(-1, 16);
      float[] logits = model.logits(x_Nd).toFloatArray();
      double sum = 0;
      int count = 0;
      for (int n = 0; n < samples.targets().length; n++) {
        int target = (int) samples.targets()[n];
        if (target >= 0) {
          double all = 0;
          for (int v = 0; v < 5; v++) {
            all += Math.exp(logits[5 * n + v]);
          }
          sum += Math.log(all) - logits[5 * n + target];
          count++;
        }
      }
      assertThat(samples.numTargets()).isEqualTo(count).isLessThan(samples.targets().length / 4);
      assertThat((double) task.loss(model, batch).getFloat()).isCloseTo(sum / count, within(1e-5));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"mqar", "copy", "reverse", "selective_copy", "induction", "passkey", "flipflop"})
  void resumedRunEndsWithTheBitsOfARunWithoutInterruption(String name) throws IOException {
    TrainingConfig config =
        config(name, "training.steps=8", "training.checkpoint={interval: 4, keep: 4}");
    Trainer.Result whole = train("whole", config, () -> false);
    int[] step = {0};
    assertThat(train("part", config, () -> ++step[0] == 3).isFinished()).isFalse();
    Trainer.Result resumed = train("part", config, () -> false);
    for (String file : List.of("model.safetensors", "optimizer.safetensors")) {
      assertThat(resumed.checkpoint().resolve(file))
          .as(file)
          .hasSameBinaryContentAs(whole.checkpoint().resolve(file));
    }
  }

  /** Strings of flip-flops have unlike numbers of targets, so parts of a batch weigh unlike. */
  @Test
  void replicasLearnWhatOneLearnsFromTheWholeBatch() throws IOException {
    String[] settings = {"optimizer.epsilon=1.0e-5", "training.steps=20", "task.p=0.5"};
    train("one", config("flipflop", settings), () -> false);
    List<String> two = new ArrayList<>(List.of(settings));
    two.add("training.device=cpu:2");
    train("two", config("flipflop", two.toArray(String[]::new)), () -> false);
    List<String> whole = new ArrayList<>(List.of(settings));
    whole.add("training.micro_batch=16");
    train("whole", config("flipflop", whole.toArray(String[]::new)), () -> false);
    double[] losses = losses("whole");
    assertThat(losses("one")).containsExactly(losses, within(1e-4));
    assertThat(losses("two")).containsExactly(losses, within(1e-4));
    assertThat(metrics("two", Metrics.Validation.class))
        .allMatch(line -> line.metric().equals("token_error_rate"))
        .allMatch(line -> line.stringErrorRate() != null && line.stringErrorRate() >= line.loss());
  }

  private double[] losses(String run) throws IOException {
    return metrics(run, Metrics.Training.class).stream()
        .mapToDouble(Metrics.Training::loss)
        .toArray();
  }

  @Test
  void runEndsWhenItsTaskIsLearnedAndStaysFinished() throws IOException {
    String[] settings = {
      "task.lengths=[2, 2]",
      "training.steps=400",
      "training.validation.interval=10",
      "optimizer.learning_rate=1.0e-2",
      "training.stop_when_learned=true"
    };
    Trainer.Result result = train("easy", config("flipflop", settings), () -> false);
    assertThat(result.isFinished()).isTrue();
    assertThat(result.step()).isLessThan(400);
    assertThat(Checkpoint.open(result.checkpoint()).state().learnedAt()).isEqualTo(result.step());
    Trainer.Result again = train("easy", config("flipflop", settings), () -> false);
    assertThat(again.step()).isEqualTo(result.step());
    List<Metrics.Validation> lines = metrics("easy", Metrics.Validation.class);
    assertThat(lines.get(lines.size() - 1).loss()).isLessThanOrEqualTo(0.01);
    assertThat(lines.get(lines.size() - 2).loss()).isGreaterThan(0.01);
  }
}
