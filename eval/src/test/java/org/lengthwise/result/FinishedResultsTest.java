package org.lengthwise.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.error.ConfigException;

class FinishedResultsTest {
  private final Path root;

  FinishedResultsTest(@TempDir Path root) {
    this.root = root;
  }

  private void evaluation(String folder, String run) throws Exception {
    Files.createDirectories(root.resolve(folder).getParent());
    ArtifactFolder.create(
        root.resolve(folder),
        temporary ->
            ResultFile.EVALUATIONS.write(temporary, List.of(Samples.aligned(run, 1, 128, 5))));
  }

  @Test
  void resultsAreFoundOnceAtAnyDepthInTheOrderOfTheirPaths() throws Exception {
    evaluation("b", "t5");
    evaluation("a/deep/er", "alibi");
    ArtifactFolder.create(
        root.resolve("field"),
        folder ->
            ResultFile.RECEPTIVE_FIELDS.write(
                folder, List.of(Samples.receptiveField("t5", 1, 32, 4, 30))));
    FinishedResults found = FinishedResults.under(List.of(root, root.resolve("b")));
    assertThat(found.of(ResultFile.EVALUATIONS))
        .extracting(located -> located.value().run())
        .containsExactly("alibi", "t5");
    assertThat(found.of(ResultFile.RECEPTIVE_FIELDS)).hasSize(1);
    assertThat(found.of(ResultFile.EVALUATIONS).get(0).place())
        .endsWith("a/deep/er/results.jsonl:1");
  }

  @Test
  void foldersWithoutTheMarkerAreSkipped() throws Exception {
    evaluation("done", "t5");
    ResultFile.EVALUATIONS.write(
        Files.createDirectory(root.resolve("half")), List.of(Samples.aligned("alibi", 1, 128, 5)));
    evaluation(".again.partial/inner", "alibi");
    assertThat(FinishedResults.under(List.of(root)).of(ResultFile.EVALUATIONS))
        .extracting(located -> located.value().run())
        .containsExactly("t5");
  }

  @Test
  void aMissingFolderIsRejected() {
    assertThatThrownBy(() -> FinishedResults.under(List.of(root.resolve("nowhere"))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("nowhere");
  }
}
