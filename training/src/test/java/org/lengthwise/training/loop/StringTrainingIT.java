package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.TransformerXl;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.TrainingConfig;

/** Runs on the strings of a task, through the same trainer as runs on a text. */
class StringTrainingIT {
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  @TempDir private Path folder;

  private static TrainingConfig config(String... settings) {
    return configOf("regulargpt-2", settings);
  }

  private static TrainingConfig configOf(String model, String... settings) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "task.lengths=[1, 5]",
                "model.width=16",
                "model.heads=2",
                "training.batch=32",
                "training.micro_batch=8",
                "training.steps=40",
                "training.metrics_interval=1",
                "training.validation={interval: 20, sequences: 100}",
                "training.checkpoint={interval: 20, keep: 4}"));
    all.addAll(List.of(settings));
    return ConfigLoader.load(Path.of("../conf/regular/parity-" + model + ".yaml"), all)
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
      Metrics metrics = MAPPER.readValue(line, Metrics.class);
      if (kind.isInstance(metrics)) {
        lines.add(kind.cast(metrics));
      }
    }
    return lines;
  }

  private double[] losses(String run) throws IOException {
    return metrics(run, Metrics.Training.class).stream()
        .mapToDouble(Metrics.Training::loss)
        .toArray();
  }

  /** RegularGPT, the transformer of both directions, the recurrent network, and a Staircase. */
  static List<TrainingConfig> models() {
    return List.of(
        config(),
        configOf("transformer", "model.layers=1"),
        configOf("rnn", "model.heads=1"),
        configOf(
            "transformer",
            "model.layers=1",
            "model.causal=true",
            "position={scheme: none}",
            "recurrence={kind: staircase, chunk: 2, passes: 2}"));
  }

  @ParameterizedTest
  @MethodSource("models")
  void resumedRunEndsWithTheBitsOfARunWithoutInterruption(TrainingConfig config)
      throws IOException {
    Trainer.Result whole = train("whole", config, () -> false);
    int[] step = {0};
    Trainer.Result part = train("part", config, () -> ++step[0] == 13);
    assertThat(part.isFinished()).isFalse();
    Trainer.Result resumed = train("part", config, () -> false);
    for (String file : List.of("model.safetensors", "optimizer.safetensors")) {
      assertThat(resumed.checkpoint().resolve(file))
          .as(file)
          .hasSameBinaryContentAs(whole.checkpoint().resolve(file));
    }
  }

  @Test
  void replicasLearnWhatOneLearnsFromTheWholeBatch() throws IOException {
    Trainer.Result one = train("one", config("optimizer.epsilon=1.0e-5"), () -> false);
    Trainer.Result two =
        train("two", config("optimizer.epsilon=1.0e-5", "training.device=cpu:2"), () -> false);
    assertThat(losses("two")).containsExactly(losses("one"), within(1e-4));
    List<Metrics.Validation> validated = metrics("two", Metrics.Validation.class);
    assertThat(validated).allMatch(line -> line.metric().equals("error_rate"));
    assertThat(validated.get(0).loss())
        .isEqualTo(metrics("one", Metrics.Validation.class).get(0).loss());
    try (Weights expected = Checkpoint.open(one.checkpoint()).weights(Device.cpu());
        Weights found = Checkpoint.open(two.checkpoint()).weights(Device.cpu())) {
      expected
          .tensors()
          .forEach(
              (name, tensor) ->
                  assertThat(found.get(name).toFloatArray())
                      .as(name)
                      .containsExactly(tensor.toFloatArray(), within(1e-4f)));
    }
  }

  static List<PositionalScheme> schemes() {
    return List.of(
        new RegularGpt(2, RegularGpt.Edge.PAD),
        new RegularGpt(3),
        new Alibi(),
        new Sinusoidal(),
        new TransformerXl());
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void modelOfAnySchemeLearnsAnEasyLanguage(PositionalScheme scheme) throws IOException {
    TrainingConfig easy =
        config(
            "task.name=tomita_4",
            "task.lengths=[3, 6]",
            "optimizer.learning_rate=3.0e-3",
            "training.steps=150");
    train(
        "easy",
        new TrainingConfig(
            easy.name(),
            easy.seed(),
            easy.model(),
            scheme,
            easy.recurrence(),
            easy.optimizer(),
            easy.training(),
            easy.task(),
            null),
        () -> false);
    List<Metrics.Validation> lines = metrics("easy", Metrics.Validation.class);
    assertThat(lines.get(lines.size() - 1).loss()).isLessThan(0.3);
    assertThat(losses("easy")[0]).isGreaterThan(0.5);
  }

  @Test
  void recurrentNetworkLearnsAnEasyLanguage() throws IOException {
    train(
        "rnn",
        configOf(
            "rnn",
            "task.name=tomita_4",
            "task.lengths=[3, 6]",
            "model.heads=1",
            "optimizer.learning_rate=3.0e-3",
            "training.steps=150"),
        () -> false);
    List<Metrics.Validation> lines = metrics("rnn", Metrics.Validation.class);
    assertThat(lines.get(lines.size() - 1).loss()).isLessThan(0.3);
  }

  /** The last hidden state, from which a classifier reads, is bfloat16, too. */
  @ParameterizedTest
  @EnumSource(Precision.class)
  void runInBfloat16Learns(Precision residual) throws IOException {
    train(
        "bfloat16",
        config(
            "task.name=tomita_4",
            "task.lengths=[3, 6]",
            "optimizer.learning_rate=3.0e-3",
            "training.precision=bfloat16",
            "training.residual=" + residual.label(),
            "training.steps=150"),
        () -> false);
    List<Metrics.Validation> lines = metrics("bfloat16", Metrics.Validation.class);
    assertThat(lines.get(lines.size() - 1).loss()).isLessThan(0.3);
  }
}
