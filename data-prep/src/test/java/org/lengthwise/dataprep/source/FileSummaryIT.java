package org.lengthwise.dataprep.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.tokenizer.BytesTokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

class FileSummaryIT {

  private final Path folder;

  FileSummaryIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void aParquetFileIsDescribedByItsColumns() throws IOException {
    Path file = folder.resolve("x.parquet");
    String query = "SELECT i AS id, ['w'] AS words, {'b': 'text ' || i} AS a FROM range(5000) t(i)";
    DuckDb.write(file, query, "COMPRESSION zstd, ROW_GROUP_SIZE 2048");
    FileSummary summary = summary(file);
    assertThat(summary.facts())
        .containsEntry("rows", 5000L)
        .containsEntry("row groups", 3)
        .containsEntry("column a.b", "string")
        .containsEntry("shown column", "a.b")
        .hasEntrySatisfying("format", format -> assertThat(format.toString()).contains("DuckDB"))
        .hasEntrySatisfying("column id", type -> assertThat(type.toString()).contains("64"));
    assertThat(summary.facts().toString()).contains("list of string");
    assertThat(summary.beginning()).isEqualTo("text 0");
  }

  @Test
  void tokenFilesAreRecognisedByTheirContent() throws IOException {
    Path file = Files.write(folder.resolve("x.bin"), new byte[] {65, 0, 66, 0, 0, 1, 67, 0});
    FileSummary summary = summary(file);
    assertThat(summary.facts()).containsEntry("format", "token ids, --tokens nanogpt");
    assertThat(summary.facts()).containsEntry("tokens", 4L).containsEntry("bytes", 8L);
    assertThat(summary.beginning()).isEqualTo("AB");
    byte[] header = new byte[1026];
    System.arraycopy(
        new byte[] {(byte) 0x88, (byte) 0xD8, 0x34, 1, 1, 0, 0, 0, 1}, 0, header, 0, 9);
    header[1024] = 65;
    Files.write(file, header);
    assertThat(summary(file).facts()).containsEntry("format", "token ids, --tokens llm.c");
    assertThat(summary(file).beginning()).isEqualTo("A");
    Files.createFile(folder.resolve("x.idx"));
    assertThatThrownBy(() -> summary(file)).isInstanceOf(DataFormatException.class);
  }

  @Test
  void aFileOfTextIsDescribedByItsFirstDocument() throws IOException {
    Path file = folder.resolve("x.jsonl.xz");
    Files.write(file, Packed.xz(Packed.utf8("\n{\"text\":\"a\"}\n")));
    assertThat(summary(file).facts()).containsEntry("format", "records, xz");
    assertThat(summary(file).beginning()).isEqualTo("{\"text\":\"a\"}");
    Path other = Files.createFile(folder.resolve("x.csv"));
    assertThatThrownBy(() -> summary(other)).isInstanceOf(ConfigException.class);
  }

  private static FileSummary summary(Path file) throws IOException {
    return FileSummary.of(file.toString(), new BytesTokenizer());
  }
}
