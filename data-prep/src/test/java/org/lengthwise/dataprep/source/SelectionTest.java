package org.lengthwise.dataprep.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.storage.StoredFile;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** A folder as the Hugging Face hub gives it. */
class SelectionTest {

  private final Path folder;

  SelectionTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void writeFolder() throws IOException {
    for (String name :
        List.of(
            ".gitattributes",
            ".cache/huggingface/download/a.lock",
            "README.md",
            "LICENSE",
            "dataset_infos.json",
            "data/test-00000-of-00001.parquet",
            "data/train-00000-of-00002.parquet",
            "data/train-00001-of-00002.parquet",
            "extra/notes.txt")) {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }
  }

  @Test
  void companionsOfTheDataAreSkipped() {
    assertThat(found(List.of(), List.of()))
        .containsExactly(
            "data/test-00000-of-00001.parquet",
            "data/train-00000-of-00002.parquet",
            "data/train-00001-of-00002.parquet",
            "extra/notes.txt");
  }

  @Test
  void aPatternMatchesANameOrAPath() {
    assertThat(found(List.of("*.txt"), List.of())).containsExactly("extra/notes.txt");
    assertThat(found(List.of("data/train-*"), List.of())).hasSize(2);
    assertThat(found(List.of("train-*"), List.of("*-00001-of-*"))).hasSize(1);
    assertThat(found(List.of("**/*.parquet"), List.of())).hasSize(3);
    assertThat(found(List.of(), List.of("data/**"))).containsExactly("extra/notes.txt");
    assertThatThrownBy(() -> found(List.of("*.csv"), List.of()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("check --include and --exclude");
  }

  @Test
  void aFileOfAnUnknownKindIsNotSkippedSilently() throws IOException {
    Files.createFile(folder.resolve("data/table.csv"));
    assertThatThrownBy(() -> found(List.of(), List.of()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("table.csv")
        .hasMessageContaining("--exclude");
    assertThat(found(List.of(), List.of("*.csv"))).hasSize(4);
  }

  @Test
  void anInvalidPatternIsAMistakeOfTheCommand() {
    assertThatThrownBy(() -> new Selection(List.of("[a"), List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--include [a");
  }

  private List<String> found(List<String> include, List<String> exclude) {
    return Corpus.find(List.of(folder.toString()), new Selection(include, exclude), Reading.TEXT)
        .files()
        .stream()
        .map(StoredFile::uri)
        .map(uri -> folder.relativize(Path.of(uri)).toString())
        .toList();
  }
}
