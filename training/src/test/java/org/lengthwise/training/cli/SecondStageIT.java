package org.lengthwise.training.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.TestTemperature;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.StartConfig;
import org.lengthwise.training.safetensors.SafetensorsFile;
import org.lengthwise.training.safetensors.Tensors;
import picocli.CommandLine;

/** What a second stage of training takes from its source, changes, keeps and refuses. */
class SecondStageIT {
  private static final String ROPE = "--set=position={scheme: rope, base: 100}";
  private static final String NO_STEPS = "--set=training.steps=0";
  private static final String LONGER = "--set=training.length=32";
  private static final int LENGTH = 48;

  private static TrainingFolder folder;

  @BeforeAll
  static void prepare(@TempDir Path path) throws IOException {
    folder = TrainingFolder.create(path, "steps: 6\nvalidation: {interval: 3, sequences: 4}");
    String rope = Files.readString(path.resolve("train.yaml")).replace("alibi", "none");
    Files.writeString(path.resolve("train.yaml"), rope);
    train("rope", ROPE);
    train("none");
  }

  private static void train(String run, String... more) {
    assertThat(new CommandLine(new TrainCommand()).execute(folder.arguments(run, more))).isZero();
  }

  /** Trains from a run, and returns the checkpoint of the result. */
  private static Checkpoint from(String source, String run, String... more) throws IOException {
    String[] start = {"--from=" + folder.path().resolve(source)};
    train(run, Stream.of(start, more).flatMap(Stream::of).toArray(String[]::new));
    return newest(run);
  }

  private static Checkpoint newest(String run) throws IOException {
    return RunFolder.resolve(folder.path().resolve(run));
  }

  private static float[] nlls(Checkpoint checkpoint, ModelConfig model) throws IOException {
    long[] ids = new Random(5).ints(LENGTH + 1, 0, 257).asLongStream().toArray();
    try (NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        Weights weights = checkpoint.weights(Device.cpu());
        LanguageModel decoder = LanguageModel.of(model, weights, Precision.FLOAT32)) {
      NDArray all = manager.create(ids);
      NDArray x_1Td = decoder.hidden(decoder.embed(all.get(":-1").reshape(new Shape(1, LENGTH))));
      return decoder.nll(x_1Td.squeeze(0), all.get("1:")).toFloatArray();
    }
  }

  private static float[] nlls(Checkpoint checkpoint) throws IOException {
    return nlls(checkpoint, checkpoint.origin().model());
  }

  @Test
  void zeroStepsWithoutChangesGiveTheSameBits() throws IOException {
    Checkpoint source = newest("rope");
    Checkpoint same = from("rope", "same", ROPE, NO_STEPS, "--set=start.optimizer=keep");
    for (String file : List.of("model.safetensors", "optimizer.safetensors")) {
      assertThat(same.folder().resolve(file)).hasSameBinaryContentAs(source.folder().resolve(file));
    }
    assertThat(nlls(same)).isEqualTo(nlls(source));
    StartConfig.Source content = same.run().config().stage().map(StartConfig::source).orElseThrow();
    assertThat(content.sha256()).isEqualTo(source.modelSha256());
    assertThat(content.tokens()).isEqualTo(6 * 4 * 16);
    assertThat(content.updates()).isEqualTo(6);
  }

  @ParameterizedTest
  @CsvSource({"linear:2", "ntk:2", "yarn:2", "dynamic:2", "yarn", "linear", "ntk"})
  void zeroStepsWithAScalingGiveTheBitsOfTheScalingAtTestTime(String scaling) throws IOException {
    Checkpoint source = newest("rope");
    String run = "scaled-" + scaling.replace(':', '-');
    String[] options = {ROPE, NO_STEPS, LONGER, "--set=start.scaling=" + scaling};
    Checkpoint scaled = from("rope", run, options);
    String atTestTime = scaling.contains(":") ? scaling : scaling + ":2"; // 32 of 16 tokens
    PositionChange change =
        new PositionChange(PositionScaling.of(atTestTime), TestTemperature.NONE);
    ModelConfig model = source.origin().model();
    assertThat(nlls(scaled)).isEqualTo(nlls(source, model.with(change.of(model.position(), 16))));
    assertThat(scaled.origin().length()).isEqualTo(32);
    String[] again =
        Stream.concat(Stream.of(options), Stream.of("--resume")).toArray(String[]::new);
    assertThat(from("rope", run, again).modelSha256()).isEqualTo(scaled.modelSha256());
  }

  @Test
  void theOrderOfTheDataContinues() throws IOException {
    assertThat(from("rope", "next", NO_STEPS).state().cursor()).isEqualTo(6 * 4);
    assertThat(
            from(
                    "rope",
                    "fives",
                    NO_STEPS,
                    "--set=training.batch=5",
                    "--set=training.micro_batch=5")
                .state()
                .cursor())
        .isEqualTo(25);
    assertThat(from("rope", "another-length", NO_STEPS, LONGER).state().cursor()).isZero();
    assertThat(from("rope", "another-seed", NO_STEPS, "--set=seed=9").state().cursor()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "t5, 'scale: one', transformer.position.bias",
    "fire, 'threshold: 4', transformer.h.1.attn.fire.c_proj.weight",
    "learned, 'positions: 48', transformer.wpe.weight"
  })
  void addedPositionsChangeNothingAtFirst(String scheme, String setting, String tensor)
      throws IOException {
    String position = "--set=position={scheme: %s, %s}".formatted(scheme, setting);
    Checkpoint added = from("none", "added-" + scheme, NO_STEPS, position, LONGER);
    assertThat(nlls(added)).isEqualTo(nlls(newest("none")));
    try (Tensors tensors = added.tensors()) {
      assertThat(tensors.floats(tensor)).containsOnly(0);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{scheme: rope, base: 500}",
        "{scheme: rope, base: 100, temperature: {name: log-length}}",
        "{scheme: rope, base: 100, scaling: {type: llama3, factor: 8, low_factor: 1, high_factor: 4,"
            + " original: 16}}",
        "{scheme: sliding-window, window: 8, within: alibi}",
        "{scheme: kerple-log}",
        "{scheme: layers, repeat: [{scheme: sliding-window, window: 8, within: rope}, {scheme: none}]}"
      })
  void otherPositionsBeginWithTheWeightsOfTheSource(String scheme) throws IOException {
    Checkpoint source = newest("rope");
    String position = "--set=position=" + scheme;
    String name = "other-" + Integer.toHexString(scheme.hashCode());
    Checkpoint changed = from("rope", name, NO_STEPS, LONGER, position);
    try (Tensors before = source.tensors();
        Tensors after = changed.tensors()) {
      for (String tensor : ((SafetensorsFile) before).tensors().keySet()) {
        assertThat(after.floats(tensor)).as(tensor).isEqualTo(before.floats(tensor));
      }
    }
    assertThat(nlls(changed)).isNotEqualTo(nlls(source));
    Checkpoint trained = from("rope", name + "-2", "--set=training.steps=2", LONGER, position);
    assertThat(trained.state().step()).isEqualTo(2);
  }

  @Test
  void droppedRotationsLeaveTheWeights() throws IOException {
    Checkpoint dropped = from("rope", "dropped", NO_STEPS, LONGER);
    Checkpoint source = newest("rope");
    assertThat(dropped.origin().model().position().label()).isEqualTo("none");
    ModelConfig without = dropped.origin().model();
    assertThat(nlls(dropped)).isEqualTo(nlls(source, without)).isNotEqualTo(nlls(source));
  }

  @Test
  void frozenTensorsKeepTheirBitsAndHaveNoMoments() throws IOException {
    Checkpoint trained =
        from(
            "rope",
            "frozen",
            "--set=training.device=cpu:2",
            "--set=optimizer.train=[position, attention, transformer.ln_f.*]",
            "--set=position={scheme: fire, threshold: 4}");
    int numChanged = 0;
    try (Tensors before = newest("rope").tensors();
        Tensors after = trained.tensors();
        SafetensorsFile moments =
            SafetensorsFile.open(trained.folder().resolve("optimizer.safetensors"))) {
      Map<String, SafetensorsFile.Entry> stored = moments.tensors();
      for (String name : ((SafetensorsFile) before).tensors().keySet()) {
        boolean isTrained = name.contains(".attn.") || name.contains(".ln_f.");
        assertThat(stored.containsKey(name + ".exp_avg")).as(name).isEqualTo(isTrained);
        boolean isSame = Arrays.equals(before.floats(name), after.floats(name));
        assertThat(isSame || isTrained).as(name).isTrue();
        numChanged += isSame ? 0 : 1;
      }
      assertThat(stored).containsKey("transformer.h.0.attn.fire.c_proj.weight.exp_avg_sq");
    }
    assertThat(numChanged).isEqualTo(2 * 4 + 2);
  }

  @Test
  void theBestCheckpointOfARunIsASource() throws IOException {
    Checkpoint best = Checkpoint.open(folder.run("rope").best().orElseThrow());
    Checkpoint started = from("rope", "best", ROPE, NO_STEPS, "--set=start.choice=best");
    assertThat(nlls(started)).isEqualTo(nlls(best));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "model.width=32; width was 16, is now 32; remove the section model",
        "model.layers=3; layers was 2, is now 3; remove the section model",
        "model.heads=4; heads was 2, is now 4; remove the section model",
        "recurrence={kind: staircase, chunk: 8, passes: 2}; recurrence.kind was; start from another",
        "start.scaling=yarn; start.scaling, with start.checkpoint; none has no rotations",
        "optimizer.train=[position]; parts of the model: position (if the scheme learns; optimizer.train",
        "start.optimizr=keep; optimizr; start"
      })
  void whatCannotChangeIsRefusedInWords(String setting, String message, String alsoIn) {
    String found = refused("--from=" + folder.path().resolve("none"), "--set=" + setting);
    assertThat(found).contains(message).contains(alsoIn);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--dry-run", "--set=seed=1"})
  void aRecurrenceInPlaceOfAttentionIsRefused(String option) {
    assertThat(
            refused(
                "--from=" + folder.path().resolve("none"),
                "--set=position={scheme: linear, member: mamba2}",
                option))
        .contains(
            "none in block 0, as in the source, because only the same linear recurrence continues one")
        .contains("found mamba2");
  }

  @Test
  void otherTokensAndOtherSourcesAreRefused() throws IOException {
    folder.prepare("text", "gpt2-shards", "gpt2");
    String fromNone = "start={checkpoint: %s}".formatted(folder.path().resolve("none"));
    assertThatThrownBy(() -> folder.advanceOn("gpt2-shards", "other", fromNone))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a model of 257 ids of bytes; prepare the data with the tokenizer");
    assertThat(refused("--from=" + folder.path().resolve("nowhere"))).contains("no such folder");
    String single = "--from=" + newest("rope").folder();
    assertThat(refused(single, "--set=start.choice=best"))
        .contains("a run with a validated checkpoint, because start.choice is best");
    String learned = "--set=position={scheme: learned, positions: %s}";
    train("learned", learned.formatted(32));
    assertThat(refused("--from=" + folder.path().resolve("learned"), learned.formatted(16)))
        .contains("of the shape [32, 16], as in the source, or of more rows, found [16, 16]");
  }

  @Test
  void aLongerTableOfPositionsKeepsItsRows() throws IOException {
    String learned = "--set=position={scheme: learned, positions: %s}";
    train("short", learned.formatted(16));
    Checkpoint source = newest("short");
    String keep = "--set=start.optimizer=keep";
    Checkpoint longer = from("short", "long", LONGER, learned.formatted(32), NO_STEPS, keep);
    int size = 16 * 16;
    for (String name : List.of("transformer.wpe.weight", "transformer.wpe.weight.exp_avg")) {
      float[] before = numbers(source, name);
      float[] after = numbers(longer, name);
      assertThat(after).hasSize(2 * size).startsWith(before);
      float[] added = Arrays.copyOfRange(after, size, 2 * size);
      assertThat(Arrays.equals(added, new float[size])).isEqualTo(name.endsWith("exp_avg"));
    }
  }

  private static float[] numbers(Checkpoint checkpoint, String name) throws IOException {
    String file = name.endsWith("exp_avg") ? "optimizer" : "model";
    try (SafetensorsFile tensors =
        SafetensorsFile.open(checkpoint.folder().resolve(file + ".safetensors"))) {
      return tensors.floats(name);
    }
  }

  @Test
  void aResumedStageNeedsTheSameSource() throws IOException {
    Checkpoint half = from("rope", "moved", ROPE, "--set=training.steps=3");
    assertThat(half.state().step()).isEqualTo(3);
    String found =
        refused(
            "moved",
            "--from=" + folder.path().resolve("none"),
            "--set=training.steps=3",
            "--resume",
            ROPE);
    assertThat(found).contains("start.source.sha256 was ");
  }

  private static String refused(String... more) {
    String run = more[0].startsWith("--") ? "refused" : more[0];
    String[] arguments =
        Stream.of(more).filter(argument -> argument.startsWith("--")).toArray(String[]::new);
    StringWriter errors = new StringWriter();
    CommandLine command = new CommandLine(new TrainCommand());
    command.setErr(new PrintWriter(errors, true));
    command.setExecutionExceptionHandler(
        (e, line, result) -> {
          errors.append(Objects.toString(e.getMessage()));
          return 2;
        });
    assertThat(command.execute(folder.arguments(run, arguments))).isNotZero();
    return errors.toString();
  }
}
