package org.lengthwise.dataprep.prepare;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lengthwise.dataprep.source.Packed.entries;
import static org.lengthwise.dataprep.source.Packed.gzip;
import static org.lengthwise.dataprep.source.Packed.tar;
import static org.lengthwise.dataprep.source.Packed.utf8;
import static org.lengthwise.dataprep.source.Packed.xz;
import static org.lengthwise.dataprep.source.Packed.zip;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.dataprep.prepare.DocumentParser.ParsedDocument;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.source.CorpusOffset;
import org.lengthwise.dataprep.source.DocumentReader;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.dataprep.source.Reading;
import org.lengthwise.dataprep.source.Selection;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** Inputs as other programs leave them. */
class RealInputsTest {

  private static final int LIMIT = 1 << 20;
  private static final String MARK = "\uFEFF";
  private static final String TWO = "{\"text\":\"a\"}\n{\"text\":\"b\"}\n";
  private static final String LIST = "[{\"text\":\"a\"},{\"text\":\"b\"}]";
  private static final String PRETTY =
      "[\n  {\n    \"n\": [1, {\"]\": \"\\\"}\"}],\n    \"text\": \"a\"\n  },\n  {\"text\":\n\"b\"}\n]\n";
  private static final String POINTER =
      "version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 9\n"
          .formatted("0".repeat(64));

  private final Path folder;

  RealInputsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  static Stream<Arguments> filesOfTwoDocuments() {
    return Stream.of(
        Arguments.of("mark.jsonl", utf8(MARK + TWO)),
        Arguments.of("mark-in-each-line.jsonl", utf8(MARK + TWO.replace("\n{", "\n" + MARK + "{"))),
        Arguments.of("mark.zip", zip(entries("1.txt", MARK + "a", "2.txt", MARK + "b"))),
        Arguments.of("list.json", utf8(LIST)),
        Arguments.of("marked-list.json", utf8(MARK + " \n" + LIST)),
        Arguments.of("list.jsonl", utf8(LIST)),
        Arguments.of("pretty.json", utf8(PRETTY)),
        Arguments.of("pretty-windows.json", utf8(PRETTY.replace("\n", "\r\n"))),
        Arguments.of("objects.json", utf8("{\n \"text\": \"a\"\n}\n{\n \"text\": \"b\"\n}\n")),
        Arguments.of("lines.json", utf8(TWO)),
        Arguments.of("lines.ndjson", utf8(TWO)),
        Arguments.of("lines-of-old-macs.jsonl", utf8(TWO.replace('\n', '\r'))),
        Arguments.of("without-line-ends.jsonl", utf8(TWO.replace("\n", ""))),
        Arguments.of("two-in-a-line.jsonl.gz", gzip(utf8(TWO.replaceFirst("\n", " ")))),
        Arguments.of("lines.jl", utf8(TWO)),
        Arguments.of("list.json.gz", gzip(utf8(LIST))),
        Arguments.of("json.zip", zip(entries("data/corpus.json", PRETTY))),
        Arguments.of("padded.jsonl.gz", joined(gzip(utf8(TWO)), new byte[5000])),
        Arguments.of(
            "members.jsonl.gz",
            joined(gzip(utf8(TWO.substring(0, 14))), gzip(utf8(TWO.substring(14))))),
        Arguments.of(
            "mac.zip",
            zip(
                entries(
                    "1.txt",
                    "a",
                    "__MACOSX/._1.txt",
                    new byte[] {0, 5, 22, 7},
                    "._2.jsonl.gz",
                    "Mac OS X",
                    "2.txt",
                    "b"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("filesOfTwoDocuments")
  void theDocumentsAreRead(String name, byte[] content) throws IOException {
    write(name, content);
    assertThat(read(name).stream().filter(found -> !found.equals("skipped")))
        .containsExactly("a", "b");
  }

  @Test
  void aTextFileLosesItsMark() throws IOException {
    write("a.txt", utf8(MARK + "a"));
    assertThat(read("a.txt")).containsExactly("a");
  }

  @Test
  void aSourceFileInJsonIsATextOfItsArchive() throws IOException {
    write("x.zip", zip(entries("package.json", "{\n \"name\": \"x\"\n}")));
    assertThat(read("x.zip")).containsExactly("{\n \"name\": \"x\"\n}");
  }

  @Test
  void recordsInUtf16AreOneErrorAndATextIsOneReject() throws IOException {
    write("x.jsonl", (MARK + TWO).getBytes(UTF_16LE));
    write("y.jsonl", TWO.getBytes(StandardCharsets.UTF_16BE));
    for (String name : List.of("x.jsonl", "y.jsonl")) {
      assertThatThrownBy(() -> read(name))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContainingAll(name, "UTF-8, found UTF-16", "iconv -f UTF-16 -t UTF-8");
    }
    write("x.txt", (MARK + "text").getBytes(UTF_16LE));
    write("x.zip", zip(entries("x.txt", (MARK + "text").getBytes(UTF_16LE))));
    for (String name : List.of("x.txt", "x.zip")) {
      assertThat(read(name)).singleElement().asString().startsWith("rejected: UTF-16LE instead");
    }
  }

  @Test
  void aGitLfsPointerIsAnErrorAndInAnArchiveAReject() throws IOException {
    for (String name : List.of("x.txt", "x.jsonl", "x.parquet", "x.tar", "x.jsonl.zst")) {
      write(name, utf8(POINTER));
      assertThatThrownBy(() -> read(name))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContainingAll(name, "Git LFS pointer", "git lfs pull");
    }
    write("x.zip", zip(entries("x.txt", POINTER, "x.jsonl", POINTER, "logo.png", POINTER)));
    assertThat(read("x.zip")).hasSize(3).element(1).asString().contains("git lfs pull");
  }

  static Stream<Arguments> filesOfAnotherFormat() {
    String page = "<!DOCTYPE html>\n<title>404 Not Found</title>";
    return Stream.of(
        Arguments.of("x.jsonl", gzip(utf8(TWO)), "gzip data"),
        Arguments.of("x.txt", gzip(utf8(TWO)), "gzip data"),
        Arguments.of("x.tar", gzip(utf8(TWO)), "gzip data"),
        Arguments.of("x.jsonl.zst", gzip(utf8(TWO)), "gzip data"),
        Arguments.of("x.jsonl.gz", utf8(TWO), "text"),
        Arguments.of("x.jsonl.gz", zip(entries("x.jsonl", TWO)), "a zip archive"),
        Arguments.of("x.parquet", utf8(TWO), "text"),
        Arguments.of("x.jsonl", utf8("PAR1\u0015\0"), "a Parquet file"),
        Arguments.of("x.jsonl", utf8("BZh91AY&SY"), "bzip2 data"),
        Arguments.of("x.jsonl", utf8(page), "a page of HTML"),
        Arguments.of("x.jsonl.xz", utf8("\n" + page), "a page of HTML"),
        Arguments.of("x.zip", utf8(page), "a page of HTML"),
        Arguments.of(
            "x.parquet", utf8("<?xml version=\"1.0\"?><Error/>"), "a page of HTML or XML"));
  }

  @ParameterizedTest(name = "{0}, {2}")
  @MethodSource("filesOfAnotherFormat")
  void aFileOfAnotherFormatThanItsNameSaysIsAnError(String name, byte[] content, String found)
      throws IOException {
    write(name, content);
    assertThatThrownBy(() -> read(name))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContainingAll(name, "found " + found, "extension of its format");
  }

  @Test
  void aPageThatIsATextIsRead() throws IOException {
    write("x.txt", utf8("<html>a"));
    assertThat(read("x.txt")).containsExactly("<html>a");
  }

  @Test
  void aSecondTarAfterTheFirstIsAnError() throws IOException {
    byte[] tar = tar(entries("1.txt", "a"));
    write("x.tar", joined(tar, new byte[10240]));
    assertThat(read("x.tar")).containsExactly("a");
    write("x.tar", joined(tar, tar));
    assertThatThrownBy(() -> read("x.tar"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContainingAll("data after the end of a tar", "--ignore-zeros");
  }

  @Test
  void anEncryptedEntryIsUnsupportedAndNotDamaged() throws IOException {
    byte[] zip = zip(entries("1.txt", "a"));
    zip[6] |= 1; // the flags of the first header
    write("x.zip", zip);
    assertThatThrownBy(() -> read("x.zip"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContainingAll("1.txt, an entry that is encrypted", "without a password");
  }

  @Test
  void aLinkWithoutAFileIsNamed() throws IOException {
    write("x.jsonl", utf8(TWO));
    Files.createSymbolicLink(folder.resolve("y.jsonl"), folder.resolve("gone"));
    assertThatThrownBy(() -> read(""))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("y.jsonl", "a link to a file that does not exist");
  }

  @Test
  void aLinkToAFolderAroundItIsNamed() throws IOException {
    Files.createSymbolicLink(folder.resolve("loop"), folder);
    assertThatThrownBy(() -> read(""))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("a link to a folder around it", "loop");
  }

  @Test
  void aLineOfZeroBytesIsAReject() throws IOException {
    write("x.jsonl", joined(utf8(TWO), new byte[100], utf8("\n \t\r\n{\"text\":\"c\"}")));
    assertThat(read("x.jsonl"))
        .hasSize(4)
        .contains("a", "b", "c")
        .element(2)
        .asString()
        .startsWith("rejected: malformed JSON at column 2: found an unescaped control character");
  }

  @Test
  void otherBytesThanZerosAfterAGzipMemberAreRefused() throws IOException {
    write("x.jsonl.gz", joined(gzip(utf8(TWO)), new byte[10], utf8("rest")));
    assertThatThrownBy(() -> read("x.jsonl.gz"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("the byte 114 after the last gzip member");
  }

  @Test
  void aListThatEndsEarlyIsDamagedAndAWrongElementIsOneReject() throws IOException {
    write("cut.json", utf8(LIST.substring(0, LIST.length() - 1)));
    assertThatThrownBy(() -> read("cut.json"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("a list of 2 records that ends without ]");
    write("open.json", utf8("{\n\"text\": \"a\"\n}\n{\n\"text\": \"b\"\n{\n\"text\": \"c\"\n}\n"));
    assertThatThrownBy(() -> read("open.json"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("record 2 does not end: a bracket or a quotation mark is missing");
    write("open.zip", zip(entries("1.json", "{\n\"text\": \"a", "2.txt", "b")));
    assertThat(read("open.zip")).hasSize(2).contains("b").first().asString().startsWith("rejected");
    write("x.json", utf8("[{\"text\":\"a\"},7,,[{}] \"s,]\" {\"text\":\"b\"}]"));
    assertThat(read("x.json"))
        .hasSize(5)
        .startsWith("a")
        .endsWith("b")
        .filteredOn(found -> found.startsWith("rejected: expected a JSON object"))
        .hasSize(3);
  }

  @Test
  void aLinkOfATarIsSkipped() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (TarArchiveOutputStream out = new TarArchiveOutputStream(packed)) {
      TarArchiveEntry first = new TarArchiveEntry("1.txt");
      first.setSize(1);
      out.putArchiveEntry(first);
      out.write('a');
      out.closeArchiveEntry();
      for (String name : List.of("2.txt", "3.jsonl.zst", "4.xz", "5.jsonl")) {
        TarArchiveEntry link = new TarArchiveEntry(name, TarConstants.LF_LINK);
        link.setLinkName("1.txt");
        out.putArchiveEntry(link);
        out.closeArchiveEntry();
      }
    }
    write("x.tar", packed.toByteArray());
    assertThat(read("x.tar")).containsExactly("a", "skipped", "skipped", "skipped", "skipped");
    write("x.tar.xz", xz(packed.toByteArray()));
    assertThat(read("x.tar.xz")).hasSize(5);
    write("y.tar", tar(entries("part.jsonl.zst", "")));
    assertThatThrownBy(() -> read("y.tar"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("an empty file instead of a compressed stream");
  }

  @Test
  void aLargerWindowOfZstdNeedsTheSetting() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZstdOutputStream out = new ZstdOutputStream(packed)) {
      out.write(utf8(TWO));
    }
    byte[] frame = packed.toByteArray();
    frame[5] = (byte) ((28 - 10) << 3); // the descriptor of the window, RFC 8878
    write("x.jsonl.zst", frame);
    assertThatThrownBy(() -> read("x.jsonl.zst"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContainingAll("zstd window", "--set zstd_window_log=31");
    assertThat(read("x.jsonl.zst", new Reading("text", null, 28))).containsExactly("a", "b");
  }

  private List<String> read(String name) {
    return read(name, Reading.TEXT);
  }

  /** The text, the reason or the fate of each document. */
  private List<String> read(String name, Reading reading) {
    Corpus corpus = Corpus.find(List.of(folder.resolve(name).toString()), Selection.ALL, reading);
    DocumentParser parser = new DocumentParser("text");
    List<String> found = new ArrayList<>();
    try (DocumentReader documents = corpus.open(CorpusOffset.startOf(0), LIMIT, count -> {})) {
      for (RawDocument raw = documents.next(); raw != null; raw = documents.next()) {
        ParsedDocument parsed = parser.parse(raw);
        if (parsed instanceof ParsedDocument.Text text) {
          found.add(text.text());
        } else if (parsed instanceof DocumentFate.Rejected rejected) {
          found.add("rejected: " + rejected.reason());
        } else {
          found.add("skipped");
        }
      }
      documents.finish();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return found;
  }

  private void write(String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
