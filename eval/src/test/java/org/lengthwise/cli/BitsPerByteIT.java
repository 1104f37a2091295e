package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.NllFile;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.ScoredTargets;

/** Models of a {@code tokenizer.json} and of bytes, which only bits per byte compare. */
class BitsPerByteIT {
  @TempDir private static Path folder;
  private static TinyExperiment pairs;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void importAModelWithItsTokenizer() throws IOException {
    Path tokenizer = folder.resolve("tokenizer.json");
    Files.writeString(tokenizer, pairsOfLetters());
    pairs = new TinyExperiment(Files.createDirectory(folder.resolve("pairs")), "" + tokenizer);
    pairs.train("trained", "{scheme: learned, positions: 64}");
    CommandRunner commands = new CommandRunner();
    commands.run(
        "export",
        pairs.checkpoint("trained"),
        "--format=gpt2",
        pairs.option("--output", "downloads/guest"));
    Files.copy(tokenizer, pairs.resolve("downloads/guest/tokenizer.json"));
    commands.run(
        "import",
        pairs.option("--checkpoint", "downloads/guest"),
        pairs.option("--output", "runs/guest"));
  }

  /** Every letter, and some pairs of letters, as a byte-level tokenizer. */
  private static String pairsOfLetters() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.putArray("added_tokens").addObject().put("id", 0).put("content", "</s>");
    for (String part : List.of("pre_tokenizer", "decoder")) {
      ObjectNode level = root.putObject(part).put("type", "ByteLevel");
      level.put("add_prefix_space", false).put("trim_offsets", true);
    }
    ObjectNode model = root.putObject("model").put("type", "BPE");
    ObjectNode vocabulary = model.putObject("vocab").put("</s>", 0).put("Ġ", 1);
    for (char letter = 'a'; letter <= 'z'; letter++) {
      vocabulary.put(String.valueOf(letter), 2 + letter - 'a');
    }
    for (String pair : List.of("th", "re", "Ġm", "ng")) {
      model.withArray("merges").add(pair.charAt(0) + " " + pair.charAt(1));
      vocabulary.put(pair, vocabulary.size());
    }
    return root.toString();
  }

  private String evaluate(TinyExperiment data, String run, String output) {
    return commands.run(
        "evaluate",
        data.checkpoint(run),
        data.data(),
        "--lengths=16,0.5x",
        "--protocol=non-overlapping",
        "--samples=9",
        "--output=" + folder.resolve(output));
  }

  private static List<EvaluationResult> results(String output) throws IOException {
    return ResultFile.EVALUATIONS.values(folder.resolve(output));
  }

  @Test
  void theTokenizerOfAnImportedModelTellsTheBytes() throws IOException {
    assertThat(evaluate(pairs, "guest", "guest").lines())
        .hasSize(2)
        .allMatch(line -> line.matches("guest seed 0, .* bits per byte"));
    try (ShardFolder shards = ShardFolder.open(pairs.resolve("shards").toString());
        Tokenizer tokenizer = Tokenizers.of(folder.resolve("tokenizer.json").toString())) {
      TokenStream test = shards.tokens(Split.TEST);
      for (EvaluationResult result : results("guest")) {
        Path file = folder.resolve("guest").resolve(NllFile.nameFor(result));
        ScoredTargets rows = NllFile.read(file).scored();
        int[] ids = new int[rows.count()];
        for (int row = 0; row < ids.length; row++) {
          test.read(rows.target(row), ids, row, 1);
        }
        byte[] text = tokenizer.decode(ids).getBytes(StandardCharsets.UTF_8);
        assertThat(text).hasSizeGreaterThan(ids.length);
        assertThat(result.text().bytes()).isEqualTo(text.length);
      }
    }
  }

  @Test
  void withoutTheFileOfTheTokenizerTheBytesAreUnknown() throws IOException {
    assertThat(evaluate(pairs, "trained", "unknown"))
        .contains("trained seed 1, non-overlapping at 16: perplexity")
        .doesNotContain("bits per byte");
    assertThat(folder.resolve("unknown/results.jsonl"))
        .content()
        .contains("\"tokenizer_sha256\":\"")
        .doesNotContain("\"bytes\":");
  }

  @Test
  void aReportOnModelsOfSeveralTokenizersHasBitsPerByteOnly() throws IOException {
    TinyExperiment bytes = new TinyExperiment(Files.createDirectory(folder.resolve("bytes")));
    bytes.train("alibi", "{scheme: alibi}");
    evaluate(bytes, "alibi", "both/bytes");
    evaluate(pairs, "guest", "both/pairs");
    String[] report = {
      "report", "--results=" + folder.resolve("both"), "--output=" + folder.resolve("report")
    };
    commands.run(report);
    String tables = Files.readString(folder.resolve("report/table.md"));
    assertThat(tables)
        .contains("## Bits per byte against length, non-overlapping protocol", "| T_ex | ")
        .contains("The runs have several tokenizers")
        .doesNotContain("Perplexity");
    assertThat(folder.resolve("report/report.html"))
        .content()
        .contains("Bits per byte against length")
        .doesNotContain("Perplexity against length");
    assertThat(Files.readAllLines(folder.resolve("report/table.csv")))
        .hasSize(1 + 4)
        .first()
        .asString()
        .endsWith(",bits_per_byte");

    evaluate(pairs, "trained", "both/unknown");
    assertThat(commands.fail(3, report))
        .contains("expected one test set, or bytes in each result")
        .contains("no bytes (trained)");
  }
}
