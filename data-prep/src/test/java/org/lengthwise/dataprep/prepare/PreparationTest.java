package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lengthwise.dataprep.source.Packed.entries;
import static org.lengthwise.dataprep.source.Packed.tar;
import static org.lengthwise.dataprep.source.Packed.utf8;
import static org.lengthwise.dataprep.source.Packed.zip;
import static org.lengthwise.dataprep.source.Packed.zstd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.tokenizer.BytesTokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

class PreparationTest {

  private static final byte[] LATIN1 = {'a', (byte) 0xE9, 'b'};

  private final Path folder;
  private final Tokenizer tokenizer = new BytesTokenizer();

  PreparationTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void everyTextIsInTheSplitOfItsHash() throws IOException {
    List<String> texts = List.of("one", "two é", "three\n\n3", "four", "five", "six", "seven");
    PrepareSettings settings = settings(0);
    run(write("x.jsonl", utf8(records(texts))), "out", settings, 2);
    for (Split split : Split.values()) {
      List<String> expected =
          texts.stream()
              .filter(t -> settings.split().splitOf(DocumentTokeniser.hash(utf8(t))) == split)
              .toList();
      assertThat(documents("out", split)).isEqualTo(expected);
    }
  }

  @Test
  void anyNumberOfThreadsGivesTheSameBytes() throws IOException {
    long seed = Long.getLong("lengthwise.test.seed", 5);
    Random random = new Random(seed);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      texts.add(i + " ".repeat(random.nextInt(1000)) + (i % 7 == 0 ? "é😀" : "e"));
    }
    byte[] records = utf8(records(texts) + "{\"text\":\"\"}\nbroken\n" + records(texts));
    Path input = write("x.tar", tar(entries("a.jsonl.zst", zstd(records), "b.txt", "the end")));
    run(input, "one", settings(2), 1);
    run(input, "two", settings(2), 2);
    run(input, "eight", settings(2), 8);
    assertThat(content("two")).as("seed %d", seed).isEqualTo(content("one"));
    assertThat(content("eight")).as("seed %d", seed).isEqualTo(content("one"));
  }

  @Test
  void shardsDoNotContainThePathOfTheCorpus() throws IOException {
    for (String place : List.of("here", "there/deeper")) {
      write(place + "/corpus/a.txt", utf8("a text"));
      write(place + "/corpus/b/c.jsonl", utf8("{\"text\":\"more\"}\nbroken\n"));
      run(folder.resolve(place + "/corpus"), place.substring(0, 4) + "-out", settings(1), 1);
    }
    Map<String, String> here = content("here-out");
    Map<String, String> there = content("ther-out");
    assertThat(here.remove("manifest.json")).isNotNull();
    assertThat(there.remove("manifest.json")).isNotNull();
    assertThat(there).isEqualTo(here);
  }

  @Test
  void malformedRecordsAreRejectedWithOriginReasonAndContent() throws IOException {
    byte[] lines =
        utf8(
            "{\"text\":\"a\"}\n{\"txt\":1}\n{\"text\":\"\"}\n{\"text\":\"\\ud800x\"}\nb?d\n"
                + "y".repeat(5000)
                + "\n");
    int bad = new String(lines, StandardCharsets.US_ASCII).indexOf('?');
    lines[bad] = (byte) 0xE9;
    PrepareSummary summary = run(write("x.jsonl", lines), "out", settings(5), 2).orElseThrow();
    assertThat(summary.tally().rejects()).isEqualTo(5);
    assertThat(summary.documents()).isEqualTo(1);
    assertThat(Files.readAllLines(folder.resolve("out/rejects.jsonl")))
        .containsExactly(
            "{\"source\":\"x.jsonl\",\"line\":2,\"reason\":\"expected a key \\\"text\\\", found"
                + " \\\"txt\\\"; --text-column names the key of the text\",\"encoding\":\"utf-8\",\"content\":\"{\\\"txt\\\":1}\"}",
            "{\"source\":\"x.jsonl\",\"line\":3,\"reason\":\"an empty"
                + " document\",\"encoding\":\"utf-8\",\"content\":\"{\\\"text\\\":\\\"\\\"}\"}",
            "{\"source\":\"x.jsonl\",\"line\":4,\"reason\":\"half of a surrogate pair at character"
                + " 0, which is no text\",\"encoding\":\"utf-8\","
                + "\"content\":\"{\\\"text\\\":\\\"\\\\ud800x\\\"}\"}",
            "{\"source\":\"x.jsonl\",\"line\":5,\"reason\":\"not UTF-8 from byte 1"
                + " on\",\"encoding\":\"base64\",\"content\":\"Yulk\"}",
            "{\"source\":\"x.jsonl\",\"line\":6,\"reason\":\"longer than document_byte_limit, 4096"
                + " bytes\",\"encoding\":\"utf-8\",\"content\":\"\"}");
    assertThat(Manifest.read(folder.resolve("out")).rejects()).isEqualTo(5);
  }

  @Test
  void anArchiveEntryThatIsNotUtf8IsRejectedAndABinaryOneIsSkipped() throws IOException {
    byte[] archive = zip(entries("a.txt", LATIN1, "b.txt", "text", "c", new byte[9]));
    PrepareSummary summary = run(write("x.zip", archive), "out", settings(1), 2).orElseThrow();
    assertThat(summary.documents()).isEqualTo(1);
    assertThat(summary.tally().skipped()).isEqualTo(1);
    assertThat(folder.resolve("out/rejects.jsonl"))
        .content()
        .isEqualTo(
            "{\"source\":\"x.zip!a.txt\",\"line\":0,\"reason\":\"not UTF-8 from byte 1 on\","
                + "\"encoding\":\"base64\",\"content\":\"Yeli\"}\n");
  }

  @Test
  void oneRejectTooManyStopsTheRunWithoutAnOutput() throws IOException {
    Path input = write("x.jsonl", utf8("{\"text\":\"a\"}\n{\"a\":1}\n{\"text\":\"b\"}\n{\"b\":1}"));
    assertThatThrownBy(() -> run(input, "out", settings(1), 2))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("x.jsonl:4")
        .hasMessageContaining("at most 1 malformed records")
        .hasMessageContaining("reject_limit");
    assertThat(folder.resolve("out")).doesNotExist();
    run(input, "out", settings(2), 2);
    assertThat(ArtifactFolder.isDone(folder.resolve("out"))).isTrue();
  }

  static Stream<Arguments> inputsThatStopTheRun() {
    byte[] records = utf8("{\"text\":\"some text\"}\n".repeat(100));
    byte[] packed = zstd(records);
    byte[] tar = tar(entries("m.jsonl", records));
    return Stream.of(
        Arguments.of("empty.jsonl", new byte[0], "at least one document"),
        Arguments.of(
            "binaries.zip",
            zip(entries("a", new byte[9], "b", "")),
            "2 archive entries without text skipped"),
        Arguments.of(
            "latin1.zip",
            zip(entries("a.txt", LATIN1)),
            "latin1.zip!a.txt: expected no malformed record, found one: not UTF-8 from byte 1"),
        Arguments.of("malformed.jsonl", utf8("{\"text\":\n"), "malformed.jsonl:1"),
        Arguments.of(
            "no-text.jsonl", utf8("{\"text\":\"a\"}\n{\"body\":\"b\"}"), "no-text.jsonl:2"),
        Arguments.of("latin1.txt", LATIN1, "not UTF-8 from byte 1"),
        Arguments.of("empty.txt", new byte[0], "an empty document"),
        Arguments.of("cut.jsonl.zst", Arrays.copyOf(packed, packed.length - 2), "undamaged"),
        Arguments.of("cut.tar", Arrays.copyOf(tar, 1000), "cut.tar!m.jsonl"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("inputsThatStopTheRun")
  void badInputIsNamedAndLeavesNoOutput(String name, byte[] content, String mentioned)
      throws IOException {
    Path input = write(name, content);
    assertThatThrownBy(() -> run(input, "out", settings(0), 2))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(mentioned);
    assertThat(folder.toFile().list()).containsExactly(name);
  }

  @Test
  void aFinishedOutputIsSkipped() throws IOException {
    Path input = write("x.txt", utf8("a text"));
    assertThat(run(input, "out", settings(0), 1)).isPresent();
    Map<String, String> before = content("out");
    assertThat(run(input, "out", settings(0), 2)).isEmpty();
    assertThat(content("out")).isEqualTo(before);
  }

  @Test
  void aFinishedOutputOfAnotherRunIsKept() throws IOException {
    Path input = write("x.txt", utf8("a text"));
    run(input, "out", settings(0), 1);
    assertThatThrownBy(() -> run(input, "out", settings(1), 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("settings");
    write("x.txt", utf8("A text"));
    assertThatThrownBy(() -> run(input, "out", settings(0), 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("other inputs");
  }

  @Test
  void theFirstOfEqualTextsIsKeptForAnyNumberOfThreads() throws IOException {
    long seed = Long.getLong("lengthwise.test.seed", 9);
    Random random = new Random(seed);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      texts.add(random.nextInt(800) + " words" + " ".repeat(random.nextInt(3)));
    }
    List<String> first = new ArrayList<>();
    Set<String> known = new HashSet<>();
    texts.stream().filter(text -> known.add(text.strip())).forEach(first::add);
    PrepareSettings settings =
        new PrepareSettings(
            new SplitFractions(1, 0, 0),
            0,
            4096,
            Deduplication.EXACT,
            new ShardLimits(10_000, 1 << 20));
    Path input = write("x.jsonl", utf8(records(texts)));
    for (int numThreads : List.of(1, 3)) {
      String output = "out" + numThreads;
      PrepareSummary summary = run(input, output, settings, numThreads).orElseThrow();
      assertThat(documents(output, Split.TRAIN)).as("seed %d", seed).isEqualTo(first);
      assertThat(summary.tally().duplicates()).isEqualTo(texts.size() - first.size());
      Manifest manifest = Manifest.read(folder.resolve(output));
      assertThat(manifest.duplicates()).isEqualTo(summary.tally().duplicates());
      assertThat(manifest.settings().get("dedup").textValue()).isEqualTo("exact");
    }
    assertThat(content("out3")).isEqualTo(content("out1"));
  }

  @Test
  void moreDocumentsThanFitInFlightKeepTheirOrder() throws IOException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 40_000; i++) {
      texts.add("document number " + i);
    }
    PrepareSettings settings =
        new PrepareSettings(
            new SplitFractions(1, 0, 0),
            0,
            4096,
            Deduplication.NONE,
            new ShardLimits(10_000, 1 << 20));
    run(write("x.jsonl", utf8(records(texts))), "out", settings, 3);
    assertThat(documents("out", Split.TRAIN)).isEqualTo(texts);
  }

  @Test
  void aTextThatTheTokenizerRejectsIsRejected() throws IOException {
    Tokenizer refusing =
        new WatchedTokenizer(
            text -> {
              if (text.equals("bad")) {
                throw new DataFormatException("a text", "a good one", "a bad one", "leave it out");
              }
            });
    Path input = write("x.jsonl", utf8(records(List.of("good", "bad"))));
    String output = folder.resolve("out").toString();
    PrepareRequest request = new PrepareRequest(List.of(input.toString()), output, settings(1), 1);
    assertThat(Preparation.run(request, refusing).orElseThrow().documents()).isEqualTo(1);
    assertThat(Files.readAllLines(folder.resolve("out/rejects.jsonl")))
        .singleElement()
        .asString()
        .contains("\"line\":2", "expected a good one, found a bad one");
  }

  private static PrepareSettings settings(int rejectLimit) {
    return new PrepareSettings(
        new SplitFractions(0.5, 0.25, 0.25),
        rejectLimit,
        4096,
        Deduplication.NONE,
        new ShardLimits(100_000, 1 << 22));
  }

  private Optional<PrepareSummary> run(
      Path input, String output, PrepareSettings settings, int numThreads) throws IOException {
    return Preparation.run(
        new PrepareRequest(
            List.of(input.toString()), folder.resolve(output).toString(), settings, numThreads),
        tokenizer);
  }

  private Path write(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  private static String records(List<String> texts) {
    StringBuilder lines = new StringBuilder();
    for (String text : texts) {
      lines.append("{\"text\":\"").append(text.replace("\n", "\\n")).append("\"}\n");
    }
    return lines.toString();
  }

  private List<String> documents(String output, Split split) {
    try (ShardFolder shards = ShardFolder.open(folder.resolve(output).toString())) {
      shards.verifyChecksums();
      TokenStream stream = shards.tokens(split);
      int[] ids = new int[Math.toIntExact(stream.numTokens())];
      stream.read(0, ids, 0, ids.length);
      List<String> documents = new ArrayList<>();
      int start = 0;
      for (int i = 0; i < ids.length; i++) {
        if (ids[i] == tokenizer.endOfText()) {
          documents.add(tokenizer.decode(Arrays.copyOfRange(ids, start, i)));
          start = i + 1;
        }
      }
      return documents;
    }
  }

  /** Every file of an output by name. */
  private Map<String, String> content(String output) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder.resolve(output))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        content.put(
            file.getFileName().toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return content;
  }
}
