package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lengthwise.dataprep.source.Packed.entries;
import static org.lengthwise.dataprep.source.Packed.gzip;
import static org.lengthwise.dataprep.source.Packed.tar;
import static org.lengthwise.dataprep.source.Packed.utf8;
import static org.lengthwise.dataprep.source.Packed.xz;
import static org.lengthwise.dataprep.source.Packed.zip;
import static org.lengthwise.dataprep.source.Packed.zstd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.config.Mutants;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.source.CorpusOffset;
import org.lengthwise.dataprep.source.DocumentReader;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.dataprep.source.Reading;
import org.lengthwise.dataprep.source.Selection;
import org.lengthwise.dataprep.source.TokenFiles;
import org.lengthwise.dataprep.source.TokenFiles.Format;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** Damaged inputs give documents, rejects and named errors, and nothing else. */
class MutatedInputsTest {

  private static final int LIMIT = 1 << 20;
  private static final String RECORD = "{\"text\":\"a b\",\"meta\":{\"n\":[1,2.5e3,null]}}\n";
  private static final byte[] LINES = utf8(RECORD.repeat(5));
  private static final byte[] LIST = utf8("[" + RECORD + "," + RECORD + "," + RECORD + "]");
  private static final byte[] IDS = shorts(1, 2, 9, 3, 4, 5, 9, 6);

  private final Path folder;

  MutatedInputsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static Map<String, byte[]> inputs() {
    Map<String, byte[]> inputs = new TreeMap<>();
    inputs.put("x.jsonl", LINES);
    inputs.put("x.json", LIST);
    inputs.put("x.txt", LINES);
    inputs.put("x.jsonl.gz", gzip(LINES));
    inputs.put("x.jsonl.zst", zstd(LINES));
    inputs.put("x.jsonl.xz", xz(LINES));
    Map<String, byte[]> entries = entries("a.txt", "a text", "b.jsonl", LINES, "c.json", LIST);
    inputs.put("x.tar", tar(entries));
    inputs.put("x.zip", zip(entries));
    inputs.put("y.zip", zip(entries("a.xz", xz(tar(entries)), "b.jsonl.zst", zstd(LINES))));
    inputs.put("nanogpt.bin", IDS);
    inputs.put("llm.c.bin", llmC());
    return inputs;
  }

  @Test
  void damageIsNeverABug() throws IOException {
    damage(40);
  }

  @Test
  @Tag("acceptance")
  void moreDamageIsNeverABug() throws IOException {
    damage(4000);
  }

  /** A library that ends with an unchecked exception: deflated content under Zstandard's number. */
  @Test
  void aZipEntryThatCannotBeUnpackedIsDamaged() throws IOException {
    byte[] mutant = Objects.requireNonNull(inputs().get("y.zip")).clone();
    mutant[8] = 93;
    assertThatThrownBy(() -> read("y.zip", mutant))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("found content that cannot be unpacked");
  }

  private void damage(int numMutants) throws IOException {
    int numRead = 0;
    for (Map.Entry<String, byte[]> input : inputs().entrySet()) {
      read(input.getKey(), input.getValue());
      for (int seed = 0; seed < numMutants; seed++) {
        try {
          read(input.getKey(), Mutants.of(input.getValue(), seed));
          numRead++;
        } catch (DataFormatException | ConfigException e) {
          assertThat(e).as("seed %s", seed).hasMessageContaining(input.getKey());
        } catch (RuntimeException | Error e) {
          throw new AssertionError("seed %s of %s".formatted(seed, input.getKey()), e);
        }
      }
    }
    assertThat(numRead).isGreaterThan(numMutants); // most mutants of plain files can be read
  }

  private void read(String name, byte[] content) throws IOException {
    Path file = Files.write(folder.resolve(name), content);
    String format = name.endsWith(".bin") ? name.substring(0, name.length() - 4) : null;
    Reading reading = new Reading("text", tokens(format), Reading.ZSTD_WINDOW_LOG);
    Corpus corpus = Corpus.find(List.of(file.toString()), Selection.ALL, reading);
    DocumentParser parser = new DocumentParser("text");
    try (DocumentReader documents = corpus.open(CorpusOffset.startOf(0), LIMIT, count -> {})) {
      for (RawDocument raw = documents.next(); raw != null; raw = documents.next()) {
        if (!(raw instanceof RawDocument.TokenIds)) {
          parser.parse(raw);
        }
      }
      documents.finish();
    }
    if (format == null) {
      corpus.parts(1 << 20);
    }
  }

  private static @Nullable TokenFiles tokens(@Nullable String format) {
    return format == null
        ? null
        : new TokenFiles(
            format.equals(Format.LLM_C.label()) ? Format.LLM_C : Format.NANOGPT, 9, 9, 10, null);
  }

  private static byte[] llmC() {
    ByteBuffer file = ByteBuffer.allocate(1024 + IDS.length).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(20240520).putInt(1).putInt(IDS.length / Short.BYTES);
    return file.put(1024, IDS).array();
  }

  private static byte[] shorts(int... ids) {
    ByteBuffer bytes = ByteBuffer.allocate(Short.BYTES * ids.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int id : ids) {
      bytes.putShort((short) id);
    }
    return bytes.array();
  }
}
