package org.lengthwise.training.interchange;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.DecoderForm;
import org.lengthwise.model.DecoderForm.Activation;
import org.lengthwise.model.HeadForm;
import org.lengthwise.model.MlpForm;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.NormForm;
import org.lengthwise.model.TokenForm;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Learned;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.T5;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.task.SmallTask;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.checkpoint.GuardState;
import org.lengthwise.training.checkpoint.ImportedModel;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.Snapshot;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.optimizer.AdamW;
import org.lengthwise.training.safetensors.HandWritten;
import org.lengthwise.training.safetensors.SafetensorsFile;

class InterchangeIT {
  private static final int[] TOKENS = {5, 250, 0, 17, 17, 99, 256, 3, 128, 64};
  private static final CheckpointImport BYTES = new CheckpointImport(null, "bytes");

  @TempDir private Path folder;

  private Checkpoint trained(PositionalScheme scheme) throws IOException {
    return trained(new TrainingConfig.ModelSize(2, 12, 3), scheme);
  }

  private Checkpoint trained(TrainingConfig.ModelSize size, PositionalScheme scheme)
      throws IOException {
    TrainingConfig config =
        new TrainingConfig(
            "a-run",
            7,
            size,
            scheme,
            new OptimizerConfig(1e-3, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0.05, 0.1),
            Loops.of(8, 1, 5));
    TokenizerIdentity tokenizer = new TokenizerIdentity("test", "0".repeat(64), 257, 256);
    RunDescription run = RunDescription.of(config, SmallTask.of(config, tokenizer));
    Path path = folder.resolve("trained");
    try (Weights weights = Weights.initialise(run.model(), new RandomStreams(7), Device.cpu());
        AdamW optimizer = new AdamW(config.optimizer(), weights);
        Snapshot tensors = new Snapshot(weights, optimizer)) {
      tensors.take();
      TrainState state = new TrainState(5, 5, 40, 7, GuardState.initial(), null, Map.of());
      CheckpointFolder.write(path, run, state, tensors, Optional.empty());
    }
    return Checkpoint.open(path);
  }

  private static double[] nlls(Checkpoint checkpoint) throws IOException {
    return Scores.fast(
        checkpoint,
        Arrays.copyOf(TOKENS, TOKENS.length - 1),
        Arrays.copyOfRange(TOKENS, 1, TOKENS.length));
  }

  private static Map<String, List<Float>> tensors(Path file) throws IOException {
    Map<String, List<Float>> tensors = new LinkedHashMap<>();
    try (SafetensorsFile opened = SafetensorsFile.open(file)) {
      for (String name : opened.tensors().keySet()) {
        List<Float> values = new ArrayList<>();
        for (float value : opened.floats(name)) {
          values.add(value);
        }
        tensors.put(name, values);
      }
    }
    return tensors;
  }

  private static byte[] weights(Path checkpoint) throws IOException {
    return Files.readAllBytes(checkpoint.resolve("model.safetensors"));
  }

  @Test
  void aGpt2InHuggingFacesLayoutHasTheReferencesNlls() throws IOException {
    Map<String, float[]> tensors = Gpt2Files.tensors(new Random(3));
    Path source = Gpt2Files.write(folder.resolve("source"), Gpt2Files.CONFIG, tensors);
    Checkpoint imported = BYTES.write(List.of(source), folder.resolve("gpt2-tiny"));
    assertThat(imported.origin().name()).isEqualTo("gpt2-tiny");
    assertThat(imported.origin().length()).isEqualTo(Gpt2Files.POSITIONS);
    assertThat(imported.state().step()).isZero();
    int[] read = Arrays.copyOf(TOKENS, Gpt2Files.POSITIONS);
    double[] expected = Scores.reference(imported, imported.origin().model(), read);
    assertThat(Arrays.copyOf(nlls(imported), expected.length))
        .containsExactly(expected, within(1e-4));
    assertThatThrownBy(imported::run)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("an imported model");
  }

  @Test
  void prefixesTiedHeadsAndSeveralFilesGiveTheSameModel() throws IOException {
    Map<String, float[]> tensors = Gpt2Files.tensors(new Random(3));
    Path source = Gpt2Files.write(folder.resolve("source"), Gpt2Files.CONFIG, tensors);
    Path plain = BYTES.write(List.of(source), folder.resolve("plain")).folder();
    Map<String, float[]> first = new LinkedHashMap<>();
    Map<String, float[]> second = new LinkedHashMap<>();
    tensors.forEach(
        (heading, values) ->
            (heading.startsWith("h.0") ? first : second).put("transformer." + heading, values));
    second.put("lm_head.weight 257 6", Objects.requireNonNull(tensors.get("wte.weight 257 6")));
    Path one = HandWritten.floats(folder.resolve("model-1.safetensors"), first);
    Path two = HandWritten.floats(folder.resolve("model-2.safetensors"), second);
    List<Path> files = List.of(source.resolve("config.json"), one, two);
    Path split = BYTES.write(files, folder.resolve("split")).folder();
    assertThat(weights(split)).isEqualTo(weights(plain));
  }

  @Test
  void learnedPositionsSurviveExportAndImportInHuggingFacesLayout() throws IOException {
    Checkpoint trained = trained(new Learned(20));
    Path gpt2 = folder.resolve("gpt2");
    CheckpointExport.write(trained, "gpt2", gpt2);
    Checkpoint back = new CheckpointImport(null, null).write(List.of(gpt2), folder.resolve("back"));
    assertThat(back.origin().tokenizer()).isEqualTo(trained.origin().tokenizer());
    assertThat(weights(back.folder())).isEqualTo(weights(trained.folder()));
    assertThat(nlls(back)).containsExactly(nlls(trained));
    Path again = folder.resolve("again");
    CheckpointExport.write(back, "gpt2", again);
    assertThat(weights(again)).isEqualTo(weights(gpt2)).isNotEqualTo(weights(back.folder()));
    assertThat(Files.readString(again.resolve("config.json")))
        .isEqualTo(Files.readString(gpt2.resolve("config.json")));
  }

  private static TrainingConfig.ModelSize size(
      Activation activation, boolean hasBias, NormForm norms, MlpForm mlp, TokenForm tokens) {
    return new TrainingConfig.ModelSize(
        2,
        12,
        3,
        new DecoderForm(
            DecoderForm.Norm.PRE,
            activation,
            hasBias,
            DecoderForm.EmbeddingScale.ONE,
            DecoderForm.Initial.GPT2,
            true,
            norms,
            HeadForm.GPT2,
            mlp,
            tokens),
        ModelConfig.Kind.DECODER,
        0);
  }

  private Checkpoint exportedAndImported(Checkpoint trained, String format) throws IOException {
    Path exported = folder.resolve("as-" + format);
    CheckpointExport.write(trained, format, exported);
    return BYTES.write(List.of(exported), folder.resolve("from-" + format));
  }

  @Test
  void aTrainedModelIsExportedToTheFamiliesThatHaveItsShape() throws IOException {
    Checkpoint learned = trained(new Learned(20));
    Checkpoint opt = exportedAndImported(learned, "opt");
    assertThat(weights(opt.folder())).isEqualTo(weights(learned.folder()));
    folder = Files.createDirectory(folder.resolve("rope"));
    Checkpoint rope = trained(new Rope(500));
    Checkpoint neox = exportedAndImported(rope, "gpt_neox");
    assertThat(weights(neox.folder())).isEqualTo(weights(rope.folder()));
    assertThat(neox.origin().model()).isEqualTo(rope.origin().model());
    assertThat(neox.origin().length()).isEqualTo(rope.origin().length());
    folder = Files.createDirectory(folder.resolve("llama"));
    Checkpoint gated =
        trained(
            size(
                Activation.SILU,
                false,
                new NormForm(NormForm.Kind.RMS, 1e-6, false),
                new MlpForm(20, true, false),
                new TokenForm(false, 0)),
            new Rope(10_000));
    for (String format : List.of("llama", "mistral")) {
      Checkpoint llama = exportedAndImported(gated, format);
      assertThat(weights(llama.folder())).isEqualTo(weights(gated.folder()));
      assertThat(llama.origin().model()).isEqualTo(gated.origin().model());
      assertThat(nlls(llama)).containsExactly(nlls(gated));
    }
  }

  @Test
  void biasesOfZeroAreNotNeededInMpt() throws IOException {
    Checkpoint trained =
        trained(
            size(Activation.GELU_ERF, true, NormForm.GPT2, MlpForm.GPT2, TokenForm.GPT2),
            new Alibi());
    Checkpoint mpt = exportedAndImported(trained, "mpt");
    assertThat(mpt.origin().model().numParameters())
        .isLessThan(trained.origin().model().numParameters());
    assertThat(nlls(mpt)).containsExactly(nlls(trained), within(1e-6));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "alibi; gpt2; expected position.scheme learned, found position.scheme alibi; use --format"
            + " safetensors; the nearest family, bloom, fits a model that is trained with"
            + " model.norms.after_embedding true",
        "alibi; bloom; expected model.norms.after_embedding true, found",
        "alibi; mpt; expected model.activation gelu-erf, model.attention_bias false,"
            + " model.norms.kind layer-without-bias, model.mlp.bias false, found",
        "rope; llama; expected model.norms.kind rms, model.mlp.gated true, found model.norms.kind"
            + " layer, model.mlp.gated false; use --format gpt_neox",
        "t5; gpt2; found position.scheme t5; use --format safetensors",
        "mamba2; llama; found position.scheme linear",
        "gated-deltanet; gpt2; found position.scheme linear; use --format safetensors"
      })
  void aFamilyWithAnotherShapeIsRefused(String scheme, String format, String message)
      throws IOException {
    Checkpoint trained =
        trained(
            switch (scheme) {
              case "alibi" -> new Alibi();
              case "rope" -> new Rope(10_000);
              case "mamba2" -> new Linear(Linear.Member.MAMBA2, false);
              case "gated-deltanet" -> new Linear(Linear.Member.GATED_DELTANET, false);
              default -> new T5(T5.Scale.ONE);
            });
    assertThatThrownBy(() -> CheckpointExport.write(trained, format, folder.resolve("out")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("--format " + format)
        .hasMessageContaining(message);
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void ownLayoutKeepsEveryBitAndTheDescriptionOfTheRun() throws IOException {
    Checkpoint trained = trained(new RegularGpt(3));
    Path exported = folder.resolve("exported");
    CheckpointExport.write(trained, CheckpointExport.OWN, exported);
    Checkpoint back =
        new CheckpointImport(null, null).write(List.of(exported), folder.resolve("back"));
    assertThat(tensors(exported.resolve("model.safetensors")))
        .isEqualTo(tensors(trained.folder().resolve("model.safetensors")));
    assertThat(weights(back.folder())).isEqualTo(weights(trained.folder()));
    assertThat(nlls(back)).containsExactly(nlls(trained));
    assertThat(back.origin()).isInstanceOf(ImportedModel.class);
    assertThat(back.origin().name()).isEqualTo("a-run");
    assertThat(back.origin().seed()).isEqualTo(7);
    assertThat(back.origin().length()).isEqualTo(8);
    assertThat(back.origin().tokenizer()).isEqualTo(trained.origin().tokenizer());
    assertThat(back.state().step()).isEqualTo(5);
    assertThat(back.state().tokens()).isEqualTo(40);
  }

  @ParameterizedTest
  @ValueSource(strings = {"config.json", "model.safetensors"})
  void changedImportedCheckpointIsDetected(String name) throws IOException {
    Map<String, float[]> tensors = Gpt2Files.tensors(new Random(3));
    Path source = Gpt2Files.write(folder.resolve("source"), Gpt2Files.CONFIG, tensors);
    Path imported = BYTES.write(List.of(source), folder.resolve("gpt2-tiny")).folder();
    Path file = imported.resolve(name);
    Files.writeString(file, " " + Files.readString(file, ISO_8859_1), ISO_8859_1);
    assertThatThrownBy(() -> Checkpoint.open(imported)).hasMessageContaining("SHA-256");
  }
}
