package org.lengthwise.dataprep.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** Files of DuckDB and of Parquet's own writer. */
class ParquetIT {

  private static final int LIMIT = 1 << 20;

  /** The smallest row group of DuckDB. */
  private static final int ROWS = 2048;

  private final Path folder;

  ParquetIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @ParameterizedTest
  @ValueSource(strings = {"snappy", "zstd", "gzip", "lz4_raw", "uncompressed"})
  void documentsOfAllCodecsVersionsAndEncodingsAreThoseOfDuckDb(String codec) throws IOException {
    String query =
        // a dictionary that overflows, repeated values, nulls, empty texts, and all of Unicode
        "SELECT i AS id, CASE WHEN i %% 11 = 0 THEN NULL WHEN i %% 13 = 0 THEN ''"
            + " WHEN i %% 3 = 0 THEN 'the same text' ELSE repeat(md5(i::VARCHAR), i %% 40)"
            + " || chr((i %% 40000 + 161)::INTEGER) END AS text FROM range(%d) t(i)";
    for (String version : List.of("V1", "V2")) {
      Path file = folder.resolve(codec + version + ".parquet");
      DuckDb.write(
          file,
          query.formatted(5 * ROWS / 2),
          "COMPRESSION %s, ROW_GROUP_SIZE %s, PARQUET_VERSION %s".formatted(codec, ROWS, version));
      List<@Nullable String> expected = DuckDb.read("SELECT text FROM '%s'".formatted(file));
      List<@Nullable String> found = texts(file, "text");
      expected.replaceAll(text -> text == null ? "" : text);
      assertThat(found).isEqualTo(expected).hasSize(5 * ROWS / 2);
    }
  }

  @Test
  void aCodecThatIsNotReadIsNamedInsteadOfDamage() {
    Path file =
        DuckDb.write(
            folder.resolve("x.parquet"), DuckDb.DOCUMENTS.formatted(9), "COMPRESSION brotli");
    assertThatThrownBy(() -> texts(file, "text"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContainingAll(
            "x.parquet", "pages compressed with BROTLI", "write the file again");
  }

  @Test
  void aColumnInsideAStructIsRead() throws IOException {
    Path file = folder.resolve("nested.parquet");
    DuckDb.write(
        file,
        "SELECT CASE WHEN i = 1 THEN NULL ELSE {'b': CASE WHEN i = 2 THEN NULL ELSE 'x' || i END} END"
            + " AS a, 'other' AS c FROM range(5) t(i)",
        "COMPRESSION zstd");
    assertThat(texts(file, "a.b")).containsExactly("x0", "", "", "x3", "x4");
    assertThat(texts(file, "c")).containsOnly("other");
  }

  @Test
  void aColumnThatHoldsNoTextsIsRefusedByName() {
    Path file = folder.resolve("columns.parquet");
    DuckDb.write(
        file,
        "SELECT ['a', 'b'] AS words, {'inner': 'c'} AS struct, 1 AS number, 'd' AS text",
        "COMPRESSION zstd");
    assertRefused(file, "words", "found a list, words");
    assertRefused(file, "words.list.element", "found a list, words");
    assertRefused(file, "struct", "found a struct with the fields inner");
    assertRefused(file, "number", "found a column of int", "name one of its columns:");
    assertRefused(file, "texts", "no such column", "did you mean `text`?", "struct.inner string");
  }

  private void assertRefused(Path file, String column, String... words) {
    assertThatThrownBy(() -> texts(file, column))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--text-column " + column)
        .hasMessageContainingAll(words);
  }

  @Test
  void readingCanStartAfterEachDocument() throws IOException {
    Path file = documents(3 * ROWS);
    Files.writeString(folder.resolve("z.txt"), "behind it");
    ReadingLog all = read(CorpusOffset.startOf(0), List.of());
    assertThat(all.documents).hasSize(3 * ROWS + 1);
    assertThat(all.files.get(0).bytes()).isEqualTo(Files.size(file));
    for (int i = 0; i < all.offsets.size(); i += 509) {
      CorpusOffset offset = all.offsets.get(i);
      ReadingLog rest = read(offset, all.files.subList(0, offset.file()));
      assertThat(rest.origins()).isEqualTo(all.origins().subList(i + 1, all.documents.size()));
      assertThat(rest.files).isEqualTo(all.files.subList(offset.file(), all.files.size()));
    }
  }

  @Test
  void aFileThatChangedBeforeTheStartIsRejected() throws IOException {
    Path file = documents(3 * ROWS);
    ReadingLog all = read(CorpusOffset.startOf(0), List.of());
    byte[] bytes = Files.readAllBytes(file);
    bytes[ROWS] ^= 1;
    Files.write(file, bytes);
    CorpusOffset late = all.offsets.get(all.offsets.size() - 1);
    assertThatThrownBy(() -> read(late, List.of()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("expected the file that the preparation began with");
  }

  @Test
  void onlyTheTextColumnIsRead() throws IOException {
    Path file = folder.resolve("wide.parquet");
    DuckDb.write(
        file,
        "SELECT md5(i::VARCHAR) AS noise, 'text ' || i AS text FROM range(20000) t(i)",
        "COMPRESSION uncompressed");
    ReadingLog log = read(CorpusOffset.startOf(0), List.of());
    assertThat(log.documents).hasSize(20000);
    assertThat(log.numBytes).isLessThan(Files.size(file) / 2);
  }

  @Test
  void partsOfRowGroupsHoldTheDocumentsOfTheFile() throws IOException {
    Path file = documents(4 * ROWS);
    Corpus corpus = corpus("text");
    List<RawDocument> whole = ReadingLog.of(corpus, LIMIT).documents;
    for (long most : new long[] {1, Files.size(file) / 3, Long.MAX_VALUE}) {
      List<Part> parts = Part.rowGroupsOf(input(file), most);
      List<RawDocument> found = new ArrayList<>();
      PartReader reader = new PartReader(Storage.of("x"), Reading.TEXT, bytes -> {});
      for (Part part : parts) {
        try (DocumentReader documents = reader.open(part, LIMIT)) {
          for (RawDocument raw = documents.next(); raw != null; raw = documents.next()) {
            found.add(raw);
          }
        }
      }
      assertThat(found).extracting(RawDocument::origin).isEqualTo(origins(whole));
      assertThat(found)
          .extracting(ParquetIT::text)
          .isEqualTo(whole.stream().map(ParquetIT::text).toList());
      assertThat(parts).hasSize(most == 1 ? 4 : most == Long.MAX_VALUE ? 1 : parts.size());
    }
    PartReader reader = new PartReader(Storage.of("x"), Reading.TEXT, bytes -> {});
    assertThat(reader.digest(corpus.wholeFiles().get(0)))
        .isEqualTo(ReadingLog.of(corpus, LIMIT).files.get(0));
  }

  @ParameterizedTest
  @EnumSource(WriterVersion.class)
  void aFlippedBitInAPageWithAChecksumIsNoticed(WriterVersion version) throws IOException {
    Path file = folder.resolve("checked.parquet");
    writeChecked(file, version);
    assertThat(texts(file, "text")).hasSize(100).startsWith("0 document of");
    byte[] bytes = Files.readAllBytes(file);
    int page = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("50 document of");
    bytes[page] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> texts(file, "text"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("checked.parquet")
        .hasMessageContaining("row group 0")
        .hasMessageContaining("CRC");
  }

  private static void writeChecked(Path file, WriterVersion version) throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType("message m { required binary text (UTF8); }");
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .withWriterVersion(version)
            .withDictionaryEncoding(false)
            .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
            .build()) {
      for (int i = 0; i < 100; i++) {
        writer.write(groups.newGroup().append("text", i + " document of"));
      }
    }
  }

  @Test
  void aFooterThatDoesNotFitTheFileIsRejected() throws IOException {
    byte[] sound = Files.readAllBytes(documents(10));
    assertDamaged(new byte[0], "does not end with PAR1");
    assertDamaged(Arrays.copyOf(sound, sound.length - 100), "does not end with PAR1");
    byte[] longFooter = sound.clone();
    ByteBuffer.wrap(longFooter)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(longFooter.length - 8, Integer.MAX_VALUE);
    assertDamaged(longFooter, "a footer of 2,147,483,647 bytes in a file of");
  }

  /** A list of 2^31 - 1 columns in the compact protocol of Thrift, and no column. */
  @Test
  void aFooterWithMoreColumnsThanBytesTakesNoMemory() throws IOException {
    byte[] footer = {0x15, 2, 0x19, (byte) 0xFC, -1, -1, -1, -1, 7, 0};
    ByteBuffer file = ByteBuffer.allocate(4 + footer.length + 8).order(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = "PAR1".getBytes(StandardCharsets.US_ASCII);
    file.put(magic).put(footer).putInt(footer.length).put(magic);
    assertDamaged(file.array(), "the footer");
  }

  private void assertDamaged(byte[] bytes, String words) throws IOException {
    Path file = Files.write(folder.resolve("damaged.parquet"), bytes);
    assertThatThrownBy(() -> texts(file, "text"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("damaged.parquet")
        .hasMessageContaining(words);
  }

  @Test
  void damageIsNeverABug() throws IOException {
    damage(200, 7);
  }

  @Test
  @Tag("acceptance")
  void damageAnywhereIsNeverABug() throws IOException {
    damage(20_000, 8);
  }

  private void damage(int numFlips, long seed) throws IOException {
    byte[] sound = Files.readAllBytes(documents(300));
    Random random = new Random(seed);
    Path file = folder.resolve("flipped.parquet");
    for (int i = 0; i < numFlips; i++) {
      byte[] flipped = sound.clone();
      int tail = random.nextBoolean() ? Math.min(1000, sound.length) : sound.length;
      flipped[sound.length - 1 - random.nextInt(tail)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, flipped);
      try {
        texts(file, "text");
      } catch (DataFormatException | ConfigException e) {
        assertThat(e).hasMessageContaining("flipped.parquet");
      } catch (RuntimeException | Error e) {
        fail("flip %s of seed %s".formatted(i, seed), e);
      }
    }
  }

  private Path documents(int count) {
    return DuckDb.write(
        folder.resolve("documents.parquet"),
        DuckDb.DOCUMENTS.formatted(count),
        "COMPRESSION zstd, ROW_GROUP_SIZE " + ROWS);
  }

  private ReadingLog read(CorpusOffset start, List<InputEntry> before) throws IOException {
    return ReadingLog.of(corpus("text"), LIMIT, start, before);
  }

  private Corpus corpus(String column) {
    return Corpus.find(List.of(folder.toString()), Selection.ALL, Reading.TEXT.withColumn(column));
  }

  private InputFile input(Path file) throws IOException {
    FileKind kind = FileKind.of(file.toString()).orElseThrow();
    String name = folder.getFileName() + "/" + file.getFileName();
    return new InputFile(
        Storage.of("x"), file.toString(), name, Files.size(file), kind, Reading.TEXT);
  }

  private static List<DocumentOrigin> origins(List<RawDocument> documents) {
    return documents.stream().map(RawDocument::origin).toList();
  }

  private static List<@Nullable String> texts(Path file, String column) throws IOException {
    Corpus corpus =
        Corpus.find(List.of(file.toString()), Selection.ALL, Reading.TEXT.withColumn(column));
    List<@Nullable String> texts = new ArrayList<>();
    ReadingLog.of(corpus, LIMIT).documents.forEach(document -> texts.add(text(document)));
    return texts;
  }

  private static @Nullable String text(RawDocument document) {
    return ((RawDocument.PlainText) document).content().text();
  }
}
