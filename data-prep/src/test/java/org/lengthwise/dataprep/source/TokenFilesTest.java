package org.lengthwise.dataprep.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.dataprep.source.TokenFiles.Format;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** Files that are written here byte by byte, as their programs write them. */
class TokenFilesTest {

  private static final int LIMIT = 40;
  private static final int END = 9;
  private static final int OWN_END = 8;
  private static final int VOCABULARY = 10;

  private final Path folder;

  TokenFilesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void aDocumentOfNanoGptEndsWithEndOfText() throws IOException {
    write("x.bin", shorts(1, 2, 9, 3, 9, 9, 4));
    assertThat(read(Format.NANOGPT)).containsExactly("1:[1, 2]", "2:[3]", "3:[]", "4:[4]");
    write("x.bin", shorts());
    assertThat(read(Format.NANOGPT)).isEmpty();
  }

  @Test
  void theTokenizersOwnEndOfTextEndsADocumentToo() throws IOException {
    write("x.bin", shorts(1, 8, 2, 9, 3));
    assertThat(read(Format.NANOGPT)).containsExactly("1:[1]", "2:[2]", "3:[3]");
  }

  @Test
  void aFileWithAnIndexIsNotNanoGpts() throws IOException {
    write("x.bin", shorts(1, 2));
    write("x.idx", megatron(8, 2, new int[] {2}, 0, 1));
    assertThatThrownBy(() -> read(Format.NANOGPT))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("x.idx; read it with --tokens megatron");
  }

  @Test
  void endOfTextAtTheBeginningBeginsTheFirstDocument() throws IOException {
    write("x.bin", shorts(9, 1, 2, 9, 3));
    assertThat(read(Format.NANOGPT)).containsExactly("1:[1, 2]", "2:[3]");
  }

  @Test
  void aDocumentBeyondTheLimitIsNotKept() throws IOException {
    int[] ids = new int[30];
    ids[10] = END; // ten ids of four bytes, the limit
    ids[22] = END; // eleven ids
    write("x.bin", shorts(ids));
    assertThat(read(Format.NANOGPT))
        .containsExactly("1:" + Arrays.toString(new int[10]), "TooLong", "3:[0, 0, 0, 0, 0, 0, 0]");
  }

  @ParameterizedTest
  @CsvSource({"20240520, 1, 2", "20240801, 7, 4"})
  void theHeaderOfLlmCSaysHowManyIdsFollow(int magic, int version, int bytes) throws IOException {
    byte[] ids = bytes == 2 ? shorts(9, 1, 2, 9, 3) : ints(9, 1, 2, 9, 3);
    write("x.bin", llmC(magic, version, 5, ids));
    assertThat(read(Format.LLM_C)).containsExactly("1:[1, 2]", "2:[3]");
    write("x.bin", llmC(magic, version, 6, ids));
    assertRejected(Format.LLM_C, "6 ids");
    write("x.bin", llmC(magic, 3, 5, ids));
    assertRejected(Format.LLM_C, "at byte 0 the magic number " + magic + " and the version 3");
    write("x.bin", Arrays.copyOf(llmC(magic, version, 5, ids), 1000));
    assertRejected(Format.LLM_C, "ends within a number");
  }

  @Test
  void otherIdsAndLengthsAreRejectedWithTheirOffset() throws IOException {
    write("x.bin", shorts(1, 2, 10, 3));
    assertRejected(Format.NANOGPT, "at byte 4 the id 10; the vocabulary has the ids 0 to 9");
    write("x.bin", new byte[] {1, 0, 2});
    assertRejected(Format.NANOGPT, "3 bytes");
    write("x.bin", shorts(1));
    assertRejected(Format.LLM_C, "ends within a number");
    assertRejected(Format.MEGATRON, "x.idx");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 2", "4, 4", "5, 8", "8, 2"})
  void megatronsIndexNamesTypeAndDocuments(int code, int bytes) throws IOException {
    int[] ids = {1, 2, 9, 3, 4, 5, 6};
    write("x.bin", numbers(bytes, ids));
    // three sequences, of which the last two are one document, and a document without sequences
    write("x.idx", megatron(code, bytes, new int[] {3, 3, 1}, 0, 1, 1, 3));
    assertThat(read(Format.MEGATRON)).containsExactly("1:[1, 2]", "2:[3, 4, 5, 6]");
    write("x.idx", megatron(code, bytes, new int[] {3, 3, 1}, 0, 1, 2, 3));
    assertThat(read(Format.MEGATRON)).containsExactly("1:[1, 2]", "2:[3, 4, 5]", "3:[6]");
  }

  @Test
  void anIndexThatDoesNotFitIsRejectedWithItsOffset() throws IOException {
    write("x.bin", shorts(1, 2, 9, 3));
    byte[] sound = megatron(8, 2, new int[] {3, 1}, 0, 1, 2);
    write("x.idx", sound);
    assertThat(read(Format.MEGATRON)).hasSize(2);
    assertIndexRejected(sound, 0, "at byte 0: the magic number");
    assertIndexRejected(sound, 9, "at byte 9: the version");
    assertIndexRejected(sound, 17, "at byte 17: the type");
    assertIndexRejected(sound, 18, "at byte 18: the numbers of sequences and documents");
    assertIndexRejected(sound, 25, "at byte 18: the numbers of sequences and documents");
    assertIndexRejected(sound, 37, "at byte 34: the length of sequence 0");
    assertIndexRejected(sound, 50, "at byte 50: the offset of sequence 1");
    assertIndexRejected(sound, 58, "at byte 58: the beginning of the first document");
    assertIndexRejected(sound, 66, "at byte 66: the end of document 1");
    write("x.idx", Arrays.copyOf(sound, 20));
    assertRejected(Format.MEGATRON, "ends within a number");
    write("x.idx", megatron(8, 2, new int[] {3, 1}, 0, 1));
    assertRejected(Format.MEGATRON, "at byte 18: the number of documents");
    write("x.idx", megatron(8, 2, new int[] {3, 2}, 0, 1, 2));
    assertRejected(Format.MEGATRON, "8 bytes; 5 ids of UINT16 need 10");
  }

  @Test
  void idsOfAnotherWidthThanStatedAreRejected() throws IOException {
    int[] ids = new int[100];
    Arrays.setAll(ids, i -> 1 + i % 8);
    String words = "of the first 200 ids are 0, every second one: the file has wider ids";
    write("x.bin", ints(ids));
    assertRejected(Format.NANOGPT, words);
    write("x.bin", llmC(20240520, 1, 200, ints(ids)));
    assertRejected(Format.LLM_C, words);
    write("x.bin", ints(ids));
    write("x.idx", megatron(8, 2, new int[] {200}, 0, 1));
    assertRejected(Format.MEGATRON, words);
  }

  private void assertIndexRejected(byte[] sound, int offset, String words) throws IOException {
    byte[] damaged = sound.clone();
    damaged[offset] ^= (byte) 0x84;
    write("x.idx", damaged);
    assertRejected(Format.MEGATRON, words);
  }

  private void assertRejected(Format format, String words) {
    assertThatThrownBy(() -> read(format))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("x.bin")
        .hasMessageContaining(words);
  }

  private void write(String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
  }

  private List<String> read(Format format) throws IOException {
    Reading reading =
        new Reading(
            "text",
            new TokenFiles(format, END, OWN_END, VOCABULARY, null),
            Reading.ZSTD_WINDOW_LOG);
    List<String> found = new ArrayList<>();
    Corpus corpus =
        Corpus.find(List.of(folder.resolve("x.bin").toString()), Selection.ALL, reading);
    for (RawDocument document : ReadingLog.of(corpus, LIMIT).documents) {
      found.add(
          document instanceof RawDocument.TokenIds tokens
              ? tokens.origin().line() + ":" + Arrays.toString(tokens.ids())
              : document.getClass().getSimpleName());
    }
    return found;
  }

  private static byte[] shorts(int... ids) {
    return numbers(2, ids);
  }

  private static byte[] ints(int... ids) {
    return numbers(4, ids);
  }

  private static byte[] numbers(int bytes, int... values) {
    ByteBuffer all = ByteBuffer.allocate(values.length * bytes);
    for (int value : values) {
      for (int i = 0; i < bytes; i++) {
        all.put(i < 4 ? (byte) (value >> (8 * i)) : 0);
      }
    }
    return all.array();
  }

  private static byte[] llmC(int magic, int version, int count, byte[] ids) {
    ByteBuffer all = ByteBuffer.allocate(1024 + ids.length).order(ByteOrder.LITTLE_ENDIAN);
    return all.putInt(magic).putInt(version).putInt(count).position(1024).put(ids).array();
  }

  private static byte[] megatron(int code, int bytes, int[] lengths, int... documents) {
    ByteBuffer index =
        ByteBuffer.allocate(34 + 12 * lengths.length + 8 * documents.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    index.put(new byte[] {'M', 'M', 'I', 'D', 'I', 'D', 'X', 0, 0});
    index.putLong(1).put((byte) code).putLong(lengths.length).putLong(documents.length);
    index.put(numbers(4, lengths));
    long offset = 0;
    for (int length : lengths) {
      index.putLong(offset);
      offset += (long) length * bytes;
    }
    return index.put(numbers(8, documents)).array();
  }
}
