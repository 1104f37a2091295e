package org.lengthwise.dataprep.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lengthwise.dataprep.source.Packed.entries;
import static org.lengthwise.dataprep.source.Packed.gzip;
import static org.lengthwise.dataprep.source.Packed.tar;
import static org.lengthwise.dataprep.source.Packed.utf8;
import static org.lengthwise.dataprep.source.Packed.xz;
import static org.lengthwise.dataprep.source.Packed.zip;
import static org.lengthwise.dataprep.source.Packed.zstd;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

class CorpusTest {

  private static final int LIMIT = 10_000;
  private static final byte[] RECORDS = utf8("{\"text\":\"a\"}\n{\"text\":\"b\"}\n");
  private static final byte[] BINARY = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 1};

  private final Path folder;

  CorpusTest(@TempDir Path folder) {
    this.folder = folder;
  }

  static Stream<Arguments> filesOfTwoRecords() {
    return Stream.of(
        Arguments.of("x.jsonl", RECORDS, "x.jsonl"),
        Arguments.of("x.JSONL", RECORDS, "x.JSONL"),
        Arguments.of("x.jsonl.gz", gzip(RECORDS), "x.jsonl.gz"),
        Arguments.of("x.jsonl.zst", zstd(RECORDS), "x.jsonl.zst"),
        Arguments.of("x.jsonl.xz", xz(RECORDS), "x.jsonl.xz"),
        Arguments.of(
            "x.tar.xz", xz(tar(entries("m.jsonl.xz", xz(RECORDS)))), "x.tar.xz!m.jsonl.xz"),
        Arguments.of("x.tar", tar(entries("m.jsonl.zst", zstd(RECORDS))), "x.tar!m.jsonl.zst"),
        Arguments.of("x.tar.gz", gzip(tar(entries("m.jsonl", RECORDS))), "x.tar.gz!m.jsonl"),
        Arguments.of("x.tgz", gzip(tar(entries("m.jsonl", RECORDS))), "x.tgz!m.jsonl"),
        Arguments.of("x.tar.zst", zstd(tar(entries("m.jsonl", RECORDS))), "x.tar.zst!m.jsonl"),
        Arguments.of("x.zip", zip(entries("m.jsonl.gz", gzip(RECORDS))), "x.zip!m.jsonl.gz"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("filesOfTwoRecords")
  void recordsAreFoundInEveryFormat(String name, byte[] content, String source) throws IOException {
    write(name, content);
    assertThat(read(folder.resolve(name).toString()))
        .containsExactly(source + ":1 {\"text\":\"a\"}", source + ":2 {\"text\":\"b\"}");
  }

  @Test
  void aTextFileIsOneDocument() throws IOException {
    write("x.txt", utf8("one\ntwo\n"));
    assertThat(read(folder.resolve("x.txt").toString())).containsExactly("x.txt:0 one\ntwo\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x.zip", "x.jar", "x.tar"})
  void everyTextOfAnArchiveIsADocumentAndBinaryOrEmptyEntriesAreMarkedAsNoText(String name)
      throws IOException {
    var entries =
        entries(
            "a/A.java",
            "class A",
            "data",
            BINARY,
            "a/B.PNG",
            "89",
            "empty.txt",
            "",
            "README",
            "hi");
    write(name, name.endsWith("tar") ? tar(entries) : zip(entries));
    assertThat(read(folder.resolve(name).toString()))
        .containsExactly(
            name + "!a/A.java:0 class A",
            name + "!data:0 NotText",
            name + "!a/B.PNG:0 NotText",
            name + "!empty.txt:0 NotText",
            name + "!README:0 hi");
  }

  @Test
  void anEntryThatIsNotUtf8IsADocumentToBeParsed() throws IOException {
    byte[] latin1 = {'a', (byte) 0xE9, 'b'};
    write("x.zip", zip(entries("a.txt", latin1, "png/notes", latin1)));
    assertThat(read(folder.resolve("x.zip").toString()))
        .containsExactly("x.zip!a.txt:0 null", "x.zip!png/notes:0 null");
  }

  @Test
  void aFolderIsReadInSortedOrderWithoutHiddenFiles() throws IOException {
    for (String name : List.of("b.txt", "a/z.txt", "a/c/d.txt", ".hidden.txt", "_SUCCESS")) {
      write(name, utf8(name));
    }
    String name = folder.getFileName().toString();
    assertThat(read(folder.toString()))
        .containsExactly(
            name + "/a/c/d.txt:0 a/c/d.txt", name + "/a/z.txt:0 a/z.txt", name + "/b.txt:0 b.txt");
  }

  @Test
  void inputsAreReadInTheOrderGivenByPathOrByUri() throws IOException {
    write("b.txt", utf8("b"));
    write("a.txt", utf8("a"));
    assertThat(read(folder.resolve("b.txt").toUri().toString(), folder.resolve("a.txt").toString()))
        .containsExactly("b.txt:0 b", "a.txt:0 a");
  }

  @Test
  void severalGzipMembersAndZstdFramesAreOneFile() throws IOException {
    write("g.jsonl.gz", concatenated(gzip(RECORDS), gzip(RECORDS)));
    write("z.jsonl.zst", concatenated(zstd(RECORDS), zstd(RECORDS)));
    assertThat(read(folder.toString())).hasSize(8);
  }

  @Test
  void blankLinesAreNoRecordsButCountAsLines() throws IOException {
    write("x.jsonl", utf8("\n{\"text\":\"a\"}\r\n \t\r\n{\"text\":\"b\"}"));
    assertThat(read(folder.resolve("x.jsonl").toString()))
        .containsExactly("x.jsonl:2 {\"text\":\"a\"}\r", "x.jsonl:4 {\"text\":\"b\"}");
  }

  @Test
  void documentsBeyondTheLimitAreReportedWithoutTheirContent() throws IOException {
    String exact = "y".repeat(LIMIT);
    write("a.jsonl", utf8(exact + "\n" + exact + "y\n" + "{}\n"));
    write("b.txt", utf8(exact + "y"));
    write("c.txt", utf8(exact));
    write("d.zip", zip(entries("e", exact + "y", "f", exact)));
    String name = folder.getFileName() + "/";
    assertThat(read(folder.toString()))
        .containsExactly(
            name + "a.jsonl:1 " + exact,
            name + "a.jsonl:2 TooLong",
            name + "a.jsonl:3 {}",
            name + "b.txt:0 TooLong",
            name + "c.txt:0 " + exact,
            name + "d.zip!e:0 TooLong",
            name + "d.zip!f:0 " + exact);
  }

  @Test
  void lengthAndDigestAreThoseOfTheWholeFile() throws Exception {
    byte[] content = tar(entries("m.jsonl.zst", zstd(RECORDS)));
    write("x.tar", content);
    Corpus corpus =
        Corpus.find(List.of(folder.resolve("x.tar").toString()), Selection.ALL, Reading.TEXT);
    List<InputEntry> entries = ReadingLog.of(corpus, LIMIT).files;
    byte[] digest = java.security.MessageDigest.getInstance("SHA-256").digest(content);
    assertThat(entries)
        .containsExactly(
            new InputEntry(
                folder.resolve("x.tar").toString(),
                content.length,
                HexFormat.of().formatHex(digest)));
    assertThat(corpus.numBytes()).isEqualTo(content.length);
    AtomicLong compared = new AtomicLong();
    assertThat(corpus.matches(entries, compared::set)).isTrue();
    assertThat(compared).hasValue(content.length);
    content[600] ^= 1;
    write("x.tar", content);
    assertThat(corpus.matches(entries, count -> {})).isFalse();
  }

  static Stream<Arguments> wholeFiles() {
    byte[] many = utf8("{\"text\":\"some text of a certain length\"}\n".repeat(40));
    byte[] other = utf8("{\"text\":\"other text\"}\n".repeat(40));
    var members = entries("m.jsonl", many, "n.jsonl", other);
    return Stream.of(
        Arguments.of("x.jsonl.gz", gzip(many)),
        Arguments.of("x.jsonl.zst", zstd(many)),
        Arguments.of("x.zip", zip(members)),
        Arguments.of("x.tar.gz", gzip(tar(members))),
        Arguments.of("x.tar.zst", zstd(tar(members))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wholeFiles")
  void aFileCutAnywhereIsNamed(String name, byte[] whole) throws IOException {
    for (int length = 0; length < whole.length; length += 1 + whole.length / 200) {
      write(name, Arrays.copyOf(whole, length));
      assertUnreadable(name, "cut to " + length + " of " + whole.length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cut.jsonl.gz", "cut.tar"})
  void aCutGzipStreamIsSaidToEndEarly(String name) throws IOException {
    byte[] cut = Arrays.copyOf(gzip(RECORDS), 20);
    write(name, name.endsWith("tar") ? tar(entries("m.jsonl.gz", cut)) : cut);
    assertThatThrownBy(() -> read(folder.resolve(name).toString()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("after byte")
        .hasMessageContaining("found a compressed stream that ends early");
  }

  @Test
  void aTarCutBeforeItsEndIsNamedEvenBetweenEntries() throws IOException {
    byte[] whole = tar(entries("m.jsonl", RECORDS, "n.jsonl", RECORDS));
    for (int length : new int[] {0, 100, 512, 530, 1024, 1100, 1536, 2000, 2048}) {
      write("x.tar", Arrays.copyOf(whole, length));
      assertUnreadable("x.tar", "cut to " + length);
    }
  }

  @Test
  void aMemberThatIsDamagedIsNamedWithTheLineReached() throws IOException {
    byte[] packed = zstd(utf8("{\"text\":\"a\"}\n".repeat(100)));
    write("x.tar", tar(entries("m.jsonl.zst", Arrays.copyOf(packed, packed.length - 3))));
    assertThatThrownBy(() -> read(folder.resolve("x.tar").toString()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("x.tar!m.jsonl.zst");
  }

  @Test
  void aFlippedBitInAZipIsNoticed() throws IOException {
    byte[] packed = zip(entries("a", "some text to be found damaged ".repeat(30)));
    packed[45] ^= 4;
    write("x.zip", packed);
    assertUnreadable("x.zip", "a flipped bit");
  }

  @Test
  void aFlippedBitInTheHeaderOfATarsEntryIsNoticed() throws IOException {
    byte[] packed = tar(entries("a", "some text", "b", "more"));
    packed[1024] ^= 1;
    write("x.tar", packed);
    assertUnreadable("x.tar", "another name of the second entry");
  }

  /** The layout of the first OpenWebText: a tar of xz files, each of which is a tar of texts. */
  @Test
  void anXzEntryMayHoldATarOfTexts() throws IOException {
    byte[] inner = tar(entries("1.txt", "one", "2.txt", "", "3.png", BINARY, "4.txt", "four"));
    Map<String, byte[]> outer =
        entries(
            "owt/subset00_data.xz", xz(inner),
            "owt/plain.txt.xz", xz(utf8("five")),
            "owt/records.jsonl.xz", xz(RECORDS),
            "owt/deep.xz", xz(tar(entries("in.xz", xz(inner)))));
    write("x.tar", tar(outer));
    write("y.tar.xz", xz(tar(outer)));
    List<String> expected =
        List.of(
            "!owt/subset00_data.xz!1.txt:0 one",
            "!owt/subset00_data.xz!2.txt:0 NotText",
            "!owt/subset00_data.xz!3.png:0 NotText",
            "!owt/subset00_data.xz!4.txt:0 four",
            "!owt/plain.txt.xz:0 five",
            "!owt/records.jsonl.xz:1 {\"text\":\"a\"}",
            "!owt/records.jsonl.xz:2 {\"text\":\"b\"}",
            "!owt/deep.xz!in.xz:0 NotText");
    assertThat(read(folder.resolve("x.tar").toString()))
        .isEqualTo(expected.stream().map(line -> "x.tar" + line).toList());
    assertThat(read(folder.resolve("y.tar.xz").toString()))
        .isEqualTo(expected.stream().map(line -> "y.tar.xz" + line).toList());
  }

  @Test
  void aDamagedXzStreamIsNoticed() throws IOException {
    byte[] packed = xz(utf8("a text".repeat(100)));
    write("x.txt.xz", Arrays.copyOf(packed, packed.length - 4));
    assertUnreadable("x.txt.xz", "cut");
    packed[packed.length / 2] ^= 1;
    write("x.txt.xz", packed);
    assertUnreadable("x.txt.xz", "flipped");
    write("x.tar", tar(entries("m.xz", packed)));
    assertUnreadable("x.tar", "flipped in an entry");
    write("x.txt.xz", new byte[0]);
    assertUnreadable("x.txt.xz", "empty");
  }

  /** The header of a block announces a dictionary, which its reader would allocate. */
  @Test
  void anXzStreamThatNeedsMuchMemoryIsRejected() throws IOException {
    byte[] packed = xz(utf8("a text"));
    int header = 12;
    int length = 8;
    assertThat(packed[header + 2]).as("the filter LZMA2").isEqualTo((byte) 0x21);
    packed[header + 4] = 32; // 256 MiB
    CRC32 checksum = new CRC32();
    checksum.update(packed, header, length);
    ByteBuffer.wrap(packed)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(header + length, (int) checksum.getValue());
    write("x.txt.xz", packed);
    assertThatThrownBy(() -> read(folder.resolve("x.txt.xz").toString()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("KiB of memory");
  }

  @Test
  void anUnknownExtensionSaysWhichAreKnown() throws IOException {
    write("x.pdf", BINARY);
    assertThatThrownBy(() -> Corpus.find(List.of(folder.toString()), Selection.ALL, Reading.TEXT))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("x.pdf")
        .hasMessageContaining(".jsonl .json .ndjson .jl .txt .tar, each also with .gz");
  }

  @Test
  void anEmptyFolderHoldsNoDocuments() {
    assertThatThrownBy(() -> Corpus.find(List.of(folder.toString()), Selection.ALL, Reading.TEXT))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(folder.toString());
  }

  @Test
  void aMissingInputIsAMistakeOfTheCommand() {
    assertThatThrownBy(
            () ->
                Corpus.find(
                    List.of(folder.resolve("none.txt").toString()), Selection.ALL, Reading.TEXT))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("none.txt");
  }

  private void assertUnreadable(String name, String description) {
    assertThatThrownBy(() -> read(folder.resolve(name).toString()))
        .as(description)
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("after byte")
        .hasMessageNotContaining("null");
  }

  private void write(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  private static byte[] concatenated(byte[] first, byte[] second) {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(first);
    both.writeBytes(second);
    return both.toByteArray();
  }

  /** Every document as "source:line content". */
  private static List<String> read(String... inputs) throws IOException {
    return ReadingLog.of(Corpus.find(List.of(inputs), Selection.ALL, Reading.TEXT), LIMIT)
        .documents
        .stream()
        .map(CorpusTest::shown)
        .toList();
  }

  private static String shown(RawDocument document) {
    String place = document.origin().source() + ":" + document.origin().line() + " ";
    if (document instanceof RawDocument.JsonRecord json) {
      return place + json.line().text();
    }
    if (document instanceof RawDocument.PlainText plain) {
      return place + plain.content().text();
    }
    return place + document.getClass().getSimpleName();
  }
}
