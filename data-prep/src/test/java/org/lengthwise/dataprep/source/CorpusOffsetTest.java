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
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.error.DataFormatException;

/** Readings that start at the offset at which an earlier reading stopped. */
class CorpusOffsetTest {

  private static final int LIMIT = 100;
  private static final byte[] RECORDS =
      utf8("{1}\n{2}\n \n" + "x".repeat(101) + "\n{3}\n{4}\n{5}\n");

  private final Path folder;

  CorpusOffsetTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void aReadingFromAnyOffsetReturnsTheDocumentsAfterIt() throws IOException {
    Object[] mixed = {
      "m/", "", "a.jsonl.zst", zstd(RECORDS), "b.txt", "text", "c.png", "x", "d.jsonl", RECORDS
    };
    write("a.jsonl", RECORDS);
    write("b.tar", tar(entries(mixed)));
    write("c.txt", utf8("a text"));
    write("d.tar.gz", gzip(tar(entries(mixed))));
    write("e.zip", zip(entries(mixed)));
    write("f.jsonl.zst", zstd(RECORDS));
    ReadingLog all = read(CorpusOffset.startOf(0), List.of());
    List<DocumentOrigin> origins = all.origins();
    assertThat(all.offsets).hasSameSizeAs(origins).hasSizeGreaterThan(50);
    for (int i = 0; i < origins.size(); i++) {
      CorpusOffset offset = all.offsets.get(i);
      ReadingLog rest = read(offset, all.files.subList(0, offset.file()));
      assertThat(rest.origins())
          .as("after %s", offset)
          .isEqualTo(origins.subList(i + 1, origins.size()));
      assertThat(rest.files)
          .as("files read to their ends")
          .isEqualTo(all.files.subList(offset.file(), all.files.size()));
      assertThat(rest.numBytes).isEqualTo(all.numBytes);
    }
  }

  @Test
  void noOffsetIsReportedBeforeTheBytesBeforeTheStartWereCompared() throws IOException {
    write("a.jsonl", RECORDS);
    ReadingLog all = read(CorpusOffset.startOf(0), List.of());
    CorpusOffset early = all.offsets.get(0);
    assertThat(early.content().bytes()).as("read ahead").isEqualTo(RECORDS.length);
    assertThat(read(early, List.of()).offsets)
        .isEqualTo(all.offsets.subList(1, all.offsets.size()));
  }

  @Test
  void aBeginningThatChangedIsRejected() throws IOException {
    write("a.jsonl", RECORDS);
    write("b.jsonl", RECORDS);
    ReadingLog all = read(CorpusOffset.startOf(0), List.of());
    CorpusOffset last = all.offsets.get(all.offsets.size() - 1);
    byte[] changed = RECORDS.clone();
    changed[1] = '9';
    byte[] shorter = Arrays.copyOf(RECORDS, RECORDS.length - 4);
    write("b.jsonl", shorter);
    assertThatThrownBy(() -> read(last, all.files.subList(0, 1)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("found a shorter one, of %s bytes".formatted(shorter.length));
    for (String name : List.of("a.jsonl", "b.jsonl")) {
      write(name, changed);
      assertThatThrownBy(() -> read(last, all.files.subList(0, 1)))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContaining(name + ": expected the file that the preparation began with");
      write(name, RECORDS);
    }
  }

  @Test
  void aFileThatIsCutWhileOthersAreReadIsNoticed() throws IOException {
    write("a.jsonl", RECORDS);
    write("b.jsonl", RECORDS);
    Corpus corpus = Corpus.find(List.of(folder.toString()), Selection.ALL, Reading.TEXT);
    write("b.jsonl", utf8("{1}\n"));
    assertThatThrownBy(() -> ReadingLog.of(corpus, LIMIT))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("b.jsonl: expected the " + RECORDS.length + " bytes");
    Files.delete(folder.resolve("b.jsonl"));
    assertThatThrownBy(() -> ReadingLog.of(corpus, LIMIT))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("b.jsonl: expected a file that can be read");
  }

  private ReadingLog read(CorpusOffset start, List<InputEntry> before) throws IOException {
    return ReadingLog.of(
        Corpus.find(List.of(folder.toString()), Selection.ALL, Reading.TEXT), LIMIT, start, before);
  }

  private void write(String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
  }
}
