package org.lengthwise.dataprep.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lengthwise.dataprep.source.Packed.entries;
import static org.lengthwise.dataprep.source.Packed.gzip;
import static org.lengthwise.dataprep.source.Packed.tar;
import static org.lengthwise.dataprep.source.Packed.utf8;
import static org.lengthwise.dataprep.source.Packed.zip;
import static org.lengthwise.dataprep.source.Packed.zstd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.error.DataFormatException;

class PartReaderTest {

  private static final int LIMIT = 200;

  private final Path folder;

  PartReaderTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void partsReadOneByOneGiveTheDocumentsAndIdentitiesOfTheWhole() throws IOException {
    byte[] records = utf8("{\"text\":\"a\"}\n\n" + "x".repeat(300) + "\n{\"text\":\"b\"}\n");
    byte[] archive =
        tar(
            entries(
                "m.jsonl.zst",
                zstd(records),
                "empty",
                "",
                "d/" + "long".repeat(60),
                "its text",
                "image.png",
                new byte[700],
                "tale.txt",
                "tale".repeat(60),
                "é",
                "é"));
    Files.write(folder.resolve("a.tar"), archive);
    Files.write(folder.resolve("b.tar.gz"), gzip(archive));
    Files.write(folder.resolve("c.zip"), zip(entries("t", "zipped")));
    Files.write(folder.resolve("d.jsonl"), records);
    Corpus corpus = Corpus.find(List.of(folder.toString()), Selection.ALL, Reading.TEXT);
    ReadingLog log = ReadingLog.of(corpus, LIMIT);
    List<String> whole = log.documents.stream().map(PartReaderTest::shown).toList();

    List<String> single = new ArrayList<>();
    AtomicLong bytesRead = new AtomicLong();
    PartReader reader =
        new PartReader(Storage.of(folder.toString()), Reading.TEXT, bytesRead::addAndGet);
    for (Part part : corpus.parts(1)) {
      try (DocumentReader documents = reader.open(part, LIMIT)) {
        for (RawDocument raw = documents.next(); raw != null; raw = documents.next()) {
          single.add(shown(raw));
        }
      }
    }

    assertThat(single).isEqualTo(whole).hasSizeGreaterThan(15);
    assertThat(corpus.parts(1)).hasSize(6 + 3);
    assertThat(bytesRead.get()).isPositive().isLessThanOrEqualTo(corpus.numBytes());
    assertThat(corpus.wholeFiles().stream().map(reader::digest))
        .containsExactlyElementsOf(log.files);
  }

  @Test
  void aTarThatWasCutAnywhereIsRefusedBeforeItIsRead() throws IOException {
    byte[] whole = tar(entries("a.txt", "a text", "b.txt", "b".repeat(2000)));
    Path file = folder.resolve("x.tar");
    for (int length : new int[] {0, 100, 600, 1024, 1536, 2500, 3584, 4095}) {
      Files.write(file, Arrays.copyOf(whole, length));
      Corpus corpus = Corpus.find(List.of(file.toString()), Selection.ALL, Reading.TEXT);
      assertThatThrownBy(() -> corpus.parts(1))
          .as("%d bytes", length)
          .isInstanceOf(DataFormatException.class)
          .hasMessageContaining("x.tar");
    }
  }

  @Test
  void aSecondTarAfterTheFirstIsRefused() throws IOException {
    byte[] tar = tar(entries("a.txt", "a text"));
    byte[] two = Arrays.copyOf(tar, 2 * tar.length);
    System.arraycopy(tar, 0, two, tar.length, tar.length);
    Path file = Files.write(folder.resolve("x.tar"), two);
    Corpus corpus = Corpus.find(List.of(file.toString()), Selection.ALL, Reading.TEXT);
    assertThatThrownBy(() -> corpus.parts(1))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContainingAll("data after the end of a tar", "--ignore-zeros");
  }

  private static String shown(RawDocument document) {
    String content =
        document instanceof RawDocument.JsonRecord json
            ? json.line().text()
            : document instanceof RawDocument.PlainText plain ? plain.content().text() : "";
    return document.origin() + " " + document.getClass().getSimpleName() + " " + content;
  }
}
