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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.shard.InputEntry;

/** Readings that go on from a place of an earlier one. */
class PlaceTest {

  private static final int LIMIT = 100;
  private static final byte[] RECORDS =
      utf8("{1}\n{2}\n \n" + "x".repeat(101) + "\n{3}\n{4}\n{5}\n");

  private final Path folder;

  PlaceTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void fromEveryPlaceOnTheRestIsRead() throws IOException {
    Object[] mixed = {
      "m/", "", "a.jsonl.zst", zstd(RECORDS), "b.txt", "text", "c.png", "x", "d.jsonl", RECORDS
    };
    write("a.jsonl", RECORDS);
    write("b.tar", tar(entries(mixed)));
    write("c.txt", utf8("a text"));
    write("d.tar.gz", gzip(tar(entries(mixed))));
    write("e.zip", zip(entries(mixed)));
    write("f.jsonl.zst", zstd(RECORDS));
    ReadingLog all = new ReadingLog();
    List<Origin> origins = read(Place.startOf(0), List.of(), all);
    assertThat(all.places).hasSameSizeAs(origins).hasSizeGreaterThan(50);
    for (int i = 0; i < origins.size(); i++) {
      Place place = all.places.get(i);
      ReadingLog rest = new ReadingLog();
      assertThat(read(place, all.files.subList(0, place.file()), rest))
          .as("from %s on", place)
          .isEqualTo(origins.subList(i + 1, origins.size()));
      assertThat(rest.files)
          .as("files read to their end")
          .isEqualTo(all.files.subList(place.file(), all.files.size()));
      assertThat(rest.numBytes).isEqualTo(all.numBytes);
    }
  }

  @Test
  void noPlaceIsToldBeforeTheBeginningIsKnownToBeTheSame() throws IOException {
    write("a.jsonl", RECORDS);
    ReadingLog all = new ReadingLog();
    read(Place.startOf(0), List.of(), all);
    Place early = all.places.get(0);
    assertThat(early.content().bytes()).as("read ahead").isEqualTo(RECORDS.length);
    ReadingLog rest = new ReadingLog();
    read(early, List.of(), rest);
    assertThat(rest.places).isEqualTo(all.places.subList(1, all.places.size()));
  }

  @Test
  void aBeginningThatChangedIsRefused() throws IOException {
    write("a.jsonl", RECORDS);
    write("b.jsonl", RECORDS);
    ReadingLog all = new ReadingLog();
    read(Place.startOf(0), List.of(), all);
    Place last = all.places.get(all.places.size() - 1);
    byte[] changed = RECORDS.clone();
    changed[1] = '9';
    for (String name : List.of("a.jsonl", "b.jsonl")) {
      write(name, changed);
      assertThatThrownBy(() -> read(last, all.files.subList(0, 1), new ReadingLog()))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContaining(name + ": expected the file that the preparation began with");
      write(name, RECORDS);
    }
  }

  @Test
  void aFileThatIsCutWhileOthersAreReadIsNoticed() throws IOException {
    write("a.jsonl", RECORDS);
    write("b.jsonl", RECORDS);
    Corpus corpus = Corpus.find(List.of(folder.toString()));
    write("b.jsonl", utf8("{1}\n"));
    assertThatThrownBy(
            () -> corpus.read(LIMIT, d -> {}, Place.startOf(0), List.of(), new ReadingLog()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("b.jsonl: expected the " + RECORDS.length + " bytes");
    Files.delete(folder.resolve("b.jsonl"));
    assertThatThrownBy(
            () -> corpus.read(LIMIT, d -> {}, Place.startOf(0), List.of(), new ReadingLog()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("b.jsonl: expected a file that can be read");
  }

  private List<Origin> read(Place start, List<InputEntry> before, ReadingLog log) {
    List<Origin> origins = new ArrayList<>();
    Corpus.find(List.of(folder.toString()))
        .read(LIMIT, document -> origins.add(document.origin()), start, before, log);
    return origins;
  }

  private void write(String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
  }
}
