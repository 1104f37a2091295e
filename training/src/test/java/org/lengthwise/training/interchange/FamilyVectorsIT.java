package org.lengthwise.training.interchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.training.TestDevice;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ImportedModel;
import org.lengthwise.training.interchange.FamilyFolders.Format;
import org.lengthwise.training.interchange.FamilyFolders.Model;

/**
 * Imported models of all families have the NLLs of an independent implementation in float64: the
 * mean of 47, then those after the tokens 0, 1, 15, 31 and 46.
 */
class FamilyVectorsIT {
  private static final int[] POINTS = {0, 1, 15, 31, 46};
  private static final int[] IDS = FamilyFolders.ids();

  @TempDir private Path folder;

  private Checkpoint imported(Path source, String name) throws IOException {
    return new CheckpointImport(null, null).write(List.of(source), folder.resolve(name));
  }

  private static byte[] weights(Checkpoint checkpoint) throws IOException {
    return Files.readAllBytes(checkpoint.folder().resolve("model.safetensors"));
  }

  /** Requires the mean within 1e-5, and the values at some points. */
  private static void assertVector(double[] nlls, double tolerance, double mean, double... points) {
    assertThat(mean(nlls)).isCloseTo(mean, within((double) TestDevice.tolerance(1e-5)));
    assertThat(points(nlls))
        .containsExactly(points, within((double) TestDevice.tolerance((float) tolerance)));
  }

  private static double mean(double[] nlls) {
    return DoubleStream.of(nlls).average().orElseThrow();
  }

  private static double[] points(double[] nlls) {
    return Arrays.stream(POINTS).mapToDouble(t -> nlls[t]).toArray();
  }

  private static double[] numbers(String text) {
    return Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          llama           | 7.705823816 | 7.724197879 5.738458290 5.316461978 8.275328501 10.010941677
          llama-tied      | 7.991141194 | 9.317121207 9.675530358 8.359806262 8.223489679 3.645155759
          llama-linear    | 7.981891731 | 7.724197879 5.545719826 6.529317987 8.684792508 7.955576209
          llama-dynamic   | 7.702347026 | 7.724197879 5.708174080 5.894620706 7.992759413 5.027567695
          llama-yarn      | 8.270043103 | 7.724197879 6.005256411 6.936778696 8.369768239 10.707496847
          llama3-rope     | 8.194781774 | 7.724197879 5.643644041 6.190007668 9.187590818 11.771934751
          llama-longrope  | 7.979767903 | 7.724197879 6.163071528 6.571841230 8.078126714 5.311646510
          llama-biased    | 8.072358310 | 2.611176588 7.972947603 8.156382254 8.341395114 13.509475027
          mistral         | 7.755409061 | 7.724197879 5.738458290 5.316461978 8.963942935 8.918669301
          qwen2           | 8.749665155 | 11.253722120 7.587273944 6.685272100 6.184371037 2.953865297
          qwen2-window    | 7.971980347 | 9.233896905 9.024210319 7.285910436 6.649525166 3.642945404
          qwen3           | 7.961824834 | 10.596580218 5.326035074 8.283572914 8.003112524 7.100879457
          neox            | 7.879031568 | 10.112508901 9.408672002 6.849294888 9.441304087 8.194946050
          opt             | 8.535850379 | 5.801256248 15.617459615 7.480883722 6.343106354 8.585072083
          bloom           | 8.335107856 | 0.941916242 10.115865993 5.094145119 4.830352515 7.198408124
          mpt             | 7.884486137 | 9.642034032 4.980302943 10.318786764 6.673960527 11.067356224
          gpt2            | 14.518733009 | 21.932699031 3.604878043 13.451396200 9.492534166 10.976705868
          llama-1b-rope-parameters | 7.917990661 | 7.724197879 5.553392466 6.909202479 8.468754851 6.695381665
          neox-sequential | 8.649522179 | 9.789483096 6.390460874 7.489260042 7.210429295 8.737934709
          neox-linear     | 8.051442909 | 10.112508901 10.433391016 6.522666274 9.201929832 9.975595582
          opt-post        | 17.496317238 | 16.654905372 17.492156791 16.909268488 27.791756174 21.092558654
          bloom-8         | 10.828196202 | 8.567606897 17.160437914 13.969414253 10.850259801 14.222959188
          mpt-8           | 8.250425362 | 4.941993683 5.309896846 13.527099091 8.558992944 4.521278319
          """)
  void everyFamilyHasItsVector(String name, double mean, String points) throws IOException {
    Model model = FamilyFolders.of(name);
    Path source = FamilyFolders.write(folder.resolve("one"), model, Format.F32);
    Checkpoint one = imported(source, name);
    ModelConfig shape = one.origin().model();
    assertVector(Scores.reference(one, shape, IDS), 1e-5, mean, numbers(points));
    int[] targets = Arrays.copyOfRange(IDS, 1, IDS.length);
    // Processors round differently; the worst of 110 points seen has 1.2e-5.
    assertVector(Scores.fast(one, IDS, targets), 2e-5, mean, numbers(points));
    Path shards = FamilyFolders.writeShards(folder.resolve("two"), model);
    assertThat(weights(imported(shards, "shards"))).isEqualTo(weights(one));
    for (Format format : List.of(Format.F16, Format.BF16)) {
      Map<String, float[]> rounded = FamilyFolders.rounded(model.numbers(), format);
      Path narrow = FamilyFolders.write(folder.resolve("narrow" + format), model, format);
      Path wide = FamilyFolders.write(folder.resolve("wide" + format), model, rounded, Format.F32);
      Checkpoint half = imported(narrow, "from-narrow" + format);
      assertThat(weights(half)).isEqualTo(weights(imported(wide, "from-wide" + format)));
      double[] expected = Scores.reference(half, shape, IDS);
      double[] found = Scores.fast(half, IDS, targets);
      assertThat(mean(found)).isCloseTo(mean(expected), within(1e-5));
      assertThat(found).containsExactly(expected, within(2e-4)); // the worst of 1,500 has 8e-5
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          llama | linear:4  | 7.981891731 | 7.724197879 5.545719826 6.529317987 8.684792508 7.955576209
          llama | dynamic:4 | 7.701880778 | 7.724197879 5.696242901 6.080937878 7.943289311 5.559223448
          llama | ntk:4     | 7.888283113 | 7.724197879 5.689427322 6.264516308 8.075907304 5.528885852
          llama | yarn:4    | 8.270043103 | 7.724197879 6.005256411 6.936778696 8.369768239 10.707496847
          qwen2-window | linear:4 | 8.402980687 | 9.233896905 8.973337593 7.855863943 7.938463713 3.859292042
          qwen2-window | dynamic:4 | 8.219353443 | 9.233896905 8.100999997 7.925886224 6.950993286 4.183493075
          qwen2-window | ntk:4 | 8.274987536 | 9.233896905 8.114994302 7.929069578 6.819245977 9.602517773
          qwen2-window | yarn:4 | 8.043151016 | 9.233896905 8.360040068 6.137292120 6.804582944 4.987583895
          qwen2-long-window | yarn:4 | 7.871710040 | 9.233896905 8.468773539 6.630482492 6.059636489 4.576798237
          """)
  void anImportedModelIsScaledAtTestTime(String name, String scaling, double mean, String points)
      throws IOException {
    Path source = FamilyFolders.write(folder.resolve("one"), FamilyFolders.of(name), Format.F32);
    Checkpoint imported = imported(source, name);
    int limit = imported.origin().length();
    assertThat(limit).isEqualTo(32);
    PositionalScheme scaled =
        imported
            .origin()
            .model()
            .position()
            .scaled(PositionScaling.of(scaling), limit)
            .orElseThrow();
    ModelConfig model = imported.origin().model().with(scaled);
    assertVector(Scores.reference(imported, model, IDS), 1e-5, mean, numbers(points));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpt2",
        "neox",
        "neox-sequential",
        "neox-linear",
        "llama",
        "llama-tied",
        "llama-linear",
        "llama-dynamic",
        "llama-yarn",
        "llama3-rope",
        "llama-longrope",
        "llama-biased",
        "llama-1b-rope-parameters",
        "mistral",
        "qwen2",
        "qwen2-window",
        "qwen3",
        "opt",
        "opt-post",
        "bloom",
        "bloom-8",
        "mpt",
        "mpt-8"
      })
  void anExportedModelIsImportedBitForBit(String name) throws IOException {
    Path source = FamilyFolders.write(folder.resolve("one"), FamilyFolders.of(name), Format.F32);
    Checkpoint first = imported(source, name);
    String format = ((ImportedModel) first.origin()).source().layout();
    Path exported = folder.resolve("exported");
    CheckpointExport.write(first, format, exported);
    Checkpoint second = imported(exported, "again");
    assertThat(weights(second)).isEqualTo(weights(first));
    assertThat(second.origin().model()).isEqualTo(first.origin().model());
    assertThat(second.origin().length()).isEqualTo(first.origin().length());
    assertThat(second.origin().tokenizer()).isEqualTo(first.origin().tokenizer());
    assertThat(second.tokenizerFile().orElseThrow())
        .hasSameTextualContentAs(source.resolve("tokenizer.json"));
    Path again = folder.resolve("exported-again");
    CheckpointExport.write(second, format, again);
    for (String file : List.of("config.json", "model.safetensors", "tokenizer.json")) {
      assertThat(again.resolve(file)).hasSameBinaryContentAs(exported.resolve(file));
    }
  }
}
