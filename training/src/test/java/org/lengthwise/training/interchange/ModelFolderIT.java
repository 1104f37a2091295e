package org.lengthwise.training.interchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ImportedModel;
import org.lengthwise.training.interchange.FamilyFolders.Format;

/** Folders of other software that are read as they are, and a program that reads what we export. */
class ModelFolderIT {
  private static final Path NUMPY = Path.of("src", "test", "python", "families.py");

  @TempDir private Path folder;

  private static double[] nlls(Checkpoint checkpoint) throws IOException {
    int[] ids = FamilyFolders.ids();
    return Scores.fast(checkpoint, ids, Arrays.copyOfRange(ids, 1, ids.length));
  }

  private Path written(String name, Format format) throws IOException {
    return FamilyFolders.write(folder.resolve(name), FamilyFolders.of(name), format);
  }

  /** Matrices in 16 bits are widened by kernels, and by the import. */
  @ParameterizedTest
  @CsvSource({
    "llama, BF16",
    "llama, F16",
    "llama-tied, BF16",
    "neox, F16",
    "gpt2, BF16",
    "opt-post, F16",
    "mpt, F32"
  })
  void aFolderAndItsImportHaveTheSameScores(String name, Format format) throws IOException {
    Path files = written(name, format);
    Checkpoint imported =
        new CheckpointImport(null, null).write(List.of(files), folder.resolve("imported"));
    Checkpoint direct = ModelFolder.open(files);
    assertThat(direct.origin().model()).isEqualTo(imported.origin().model());
    assertThat(direct.modelSha256()).hasSize(64);
    assertThat(nlls(direct))
        .containsExactly(nlls(imported), within(2e-5))
        .isEqualTo(nlls(direct.widened()));
  }

  private static String python(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3", NUMPY.toString()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static void assumeNumpy() throws InterruptedException {
    try {
      Process process = new ProcessBuilder("python3", "-c", "import numpy").start();
      assumeTrue(process.waitFor() == 0, "numpy is missing (apt-get install python3-numpy)");
    } catch (IOException e) {
      assumeTrue(false, "python3 is missing: " + e);
    }
  }

  @Test
  void theIndependentProgramAgreesWithTheVectors() throws Exception {
    assumeNumpy();
    assertThat(python("vectors")).contains("llama under yarn 4");
  }

  /** The program was written from the specification of the families, not from this code. */
  @ParameterizedTest
  @ValueSource(strings = {"llama", "qwen3", "neox", "opt", "bloom", "mpt-8", "gpt2"})
  void anIndependentProgramScoresWhatIsExported(String name) throws Exception {
    assumeNumpy();
    Checkpoint model = ModelFolder.open(written(name, Format.F32));
    Path exported = folder.resolve("exported");
    String family = ((ImportedModel) model.origin()).source().layout();
    CheckpointExport.write(model, family, exported);
    Path ids = folder.resolve("ids.json");
    Files.writeString(ids, Arrays.toString(FamilyFolders.ids()));
    JsonNode answer =
        new ObjectMapper()
            .readTree(python("score", exported.toString(), "--tokens", ids.toString()));
    double[] expected = new double[FamilyFolders.ids().length - 1];
    Arrays.setAll(expected, t -> answer.path("nll").path(t + 1).asDouble());
    assertThat(nlls(model)).containsExactly(expected, within(1e-4));
  }
}
