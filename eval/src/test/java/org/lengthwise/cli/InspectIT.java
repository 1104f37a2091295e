package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code inspect} of shards, runs and folders that are neither. */
class InspectIT {
  @TempDir private static Path folder;
  private static TinyExperiment tiny;
  private static String shards;
  private static String run;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void trainAModel() throws IOException {
    tiny = new TinyExperiment(folder);
    tiny.train("alibi", "{scheme: alibi}");
    shards = tiny.resolve("shards").toString();
    run = tiny.resolve("runs/alibi").toString();
  }

  @Test
  void textDescribesShardsAndSaysWhichChecksRan() {
    assertThat(commands.run("inspect", shards, tiny.option("--plot", "plots")))
        .contains("checked      sizes and footers of 3 shards")
        .contains("bytes, 257 ids", "documents    240", "1.000 bytes per token", "256 to")
        .contains(".txt, record ", "document-lengths.svg")
        .doesNotContain("BuildInfo");
    assertThat(tiny.resolve("plots/document-lengths.svg")).isNotEmptyFile();
    assertThat(tiny.resolve("plots/document-lengths.png")).isNotEmptyFile();
  }

  @Test
  void jsonDescribesShards() throws IOException {
    String json = commands.run("inspect", shards, "--verify", "--sample=2", "--json");
    JsonNode content = new ObjectMapper().readTree(json);
    assertThat(content.get("checked").textValue()).isEqualTo("checksums");
    assertThat(content.at("/summary/documents").intValue()).isEqualTo(TinyExperiment.NUM_DOCUMENTS);
    assertThat(content.at("/summary/splits/train/share_of_documents").doubleValue())
        .isEqualTo(
            content.at("/manifest/splits/train/documents").doubleValue()
                / TinyExperiment.NUM_DOCUMENTS);
    assertThat(content.at("/sample/1/beginning").textValue()).isNotEmpty();
  }

  @Test
  void anExportedTokenFileIsDescribedAndPreparedAgain() throws IOException {
    commands.run(
        "export", "--data", shards, "--format=megatron", tiny.option("--output", "megatron"));
    String ids = tiny.resolve("megatron/train.bin").toString();
    String text = commands.run("inspect", ids, "--tokenizer=bytes");
    assertThat(text).contains("token ids, --tokens megatron").containsPattern("tokens +[0-9,]+");
    assertThat(commands.run("inspect", ids, "--json")).contains("\"facts\":{\"format\":");
    assertThat(
            commands.run(
                "prepare",
                "--input=" + ids,
                "--tokens=megatron",
                "--split-of-file=test",
                "--tokenizer=bytes",
                tiny.option("--output", "again")))
        .containsPattern("train +0 documents");
    assertThat(commands.fail(2, "inspect", ids, "--verify", "--json", "--sample=-1"))
        .contains("--sample");
    String output = tiny.option("--output", "measured");
    assertThat(
            commands.fail(
                2, "evaluate", "--checkpoint", run, "--data", ids, "--lengths=64", output))
        .contains("--tokens");
  }

  @Test
  void aRunIsDescribedByItsNewestCheckpoint() throws IOException {
    assertThat(commands.run("inspect", run))
        .contains("step-00000006, every file's SHA-256 verified")
        .contains("position     alibi, ")
        .contains("written by   lengthwise ", "commit ")
        .doesNotContain("Alibi[", "BuildInfo");
    JsonNode content = new ObjectMapper().readTree(commands.run("inspect", run, "--json"));
    assertThat(content.at("/state/step").intValue()).isEqualTo(6);
    assertThat(commands.fail(2, "inspect", run, tiny.option("--plot", "plots")))
        .contains("--plot: expected one of --verify, --json for checkpoint, found --plot");
    String config = tiny.resolve("base.yaml").toString();
    assertThat(commands.fail(2, "inspect", config, "--attention=abc"))
        .contains("--attention: expected one of --tokenizer, --json for file");
  }

  @Test
  void learnedBiasesAreDescribedByTheirRange() throws IOException {
    tiny.train("t5", "{scheme: t5}");
    String t5 = tiny.resolve("runs/t5").toString();
    assertThat(commands.run("inspect", t5))
        .containsPattern(
            "position.bias +\\[32, \\d+], biases of a head range over 0\\.\\d\\d to 0\\.");
    JsonNode ranges =
        new ObjectMapper()
            .readTree(commands.run("inspect", t5, "--json"))
            .at("/bias_ranges/transformer.position.bias");
    List<String> lines = Files.readAllLines(tiny.resolve("runs/t5/metrics.jsonl"));
    String last =
        lines.stream().filter(line -> line.contains("bias_range")).reduce("", (a, b) -> b);
    double smallest = Double.POSITIVE_INFINITY;
    for (JsonNode range : ranges) {
      smallest = Math.min(smallest, range.asDouble());
    }
    assertThat(new ObjectMapper().readTree(last).get("bias_range").asDouble()).isEqualTo(smallest);
    assertThat(Files.readString(tiny.resolve("runs/alibi/metrics.jsonl")))
        .contains("\"bias_range\":null");
  }

  @Test
  void aPathWithoutAFinishedFolderIsWrongUsage() throws IOException {
    assertThat(commands.fail(2, "inspect", tiny.resolve("nowhere").toString()))
        .contains("found no such folder");
    assertThat(commands.fail(2, "inspect", tiny.resolve("base.yaml").toString()))
        .contains("found a file");
    Path half = Files.createDirectory(tiny.resolve("half"));
    Files.createFile(half.resolve("train-00000.arrow"));
    assertThat(commands.fail(2, "inspect", half.toString()))
        .contains("expected a finished shard folder");
    assertThat(commands.fail(2, "inspect", shards, "--tokenizer=gpt2"))
        .contains("--tokenizer: expected");
  }

  @Test
  void changedFilesAreFound() throws IOException {
    Path model = tiny.copy("runs/alibi", "changed-run").resolve("checkpoints/step-00000006");
    TinyExperiment.flipAByte(model.resolve("model.safetensors"));
    assertThat(commands.fail(3, "inspect", tiny.resolve("changed-run").toString()))
        .contains("model.safetensors")
        .contains("SHA-256");
    Path copy = tiny.copy("shards", "changed-shards");
    TinyExperiment.flipAByte(copy.resolve("train-00000.arrow"));
    assertThat(commands.fail(3, "inspect", copy.toString(), "--sample=0", "--verify"))
        .contains("train-00000.arrow: expected the SHA-256");
  }
}
