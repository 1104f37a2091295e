package org.lengthwise.eval.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The whole pipeline through the command line, from text to report, on one small corpus. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PipelineIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Path CONF = HOME.resolve("conf");
  private static final String[] WORDS = {"the", "model", "reads", "short", "long", "text", "and"};

  @TempDir private static Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  void writeACorpusAndAnExperiment() throws IOException {
    System.setProperty("lengthwise.home", HOME.toString());
    Random random = new Random(1);
    Files.createDirectories(folder.resolve("text"));
    for (int document = 0; document < 400; document++) {
      StringBuilder text = new StringBuilder();
      for (int word = 0; word < 60; word++) {
        text.append(WORDS[random.nextInt(WORDS.length)]).append(word % 11 == 10 ? ".\n" : " ");
      }
      Files.writeString(folder.resolve("text/" + document + ".txt"), text);
    }
    Files.writeString(
        folder.resolve("experiment.yaml"),
        """
        extends: [%1$s/base.yaml, %1$s/model/tiny.yaml]
        model: {layers: 2, width: 32, heads: 2}
        training:
          length: 16
          batch: 4
          micro_batch: 4
          steps: 6
          precision: float32
          device: cpu
          validation: {interval: 3, sequences: 4}
          checkpoint: {interval: 3, keep: 1}
        experiment:
          data: %2$s
          columns: [%1$s/position/alibi.yaml, %1$s/position/regulargpt-8-2.yaml]
          seeds: [1, 2]
          lengths: [16, 64, 128]
          evaluation:
            protocols: [{name: aligned, chunks: 20}]
            seed: 1
            within_document: false
            position_scaling: [none]
            memory_limit_megabytes: 64
            precision: float32
            device: cpu
          receptive_field: {lengths: [32, 8], samples: 3}
        """
            .formatted(CONF, folder.resolve("shards")));
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Lengthwise.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private int experiment() {
    return run(
        "run",
        "--config=" + folder.resolve("experiment.yaml"),
        "--output=" + folder.resolve("out"));
  }

  private Path trained(String name) {
    return folder.resolve("out/runs").resolve(name);
  }

  @Test
  @Order(1)
  void textBecomesShards() {
    assertThat(
            run(
                "prepare",
                "--input=" + folder.resolve("text"),
                "--output=" + folder.resolve("shards"),
                "--tokenizer=bytes",
                "--set=split.train=0.8",
                "--set=split.validation=0.1",
                "--set=split.test=0.1"))
        .isZero();
  }

  @Test
  @Order(2)
  void inspectionSaysWhatShardsHoldAndHowFarItLooked() throws IOException {
    String shards = folder.resolve("shards").toString();
    assertThat(run("inspect", shards, "--plot=" + folder.resolve("plots"))).isZero();
    assertThat(out.toString())
        .contains("checked      sizes and footers of 3 shards, checksums not")
        .contains("bytes, 257 ids", "documents    400", "1.000 bytes per token", "256 to")
        .contains("0.txt, record ", "document-lengths.svg");
    assertThat(folder.resolve("plots/document-lengths.svg")).isNotEmptyFile();
    assertThat(folder.resolve("plots/document-lengths.png")).isNotEmptyFile();
    assertThat(run("inspect", shards, "--verify", "--sample=2", "--json")).isZero();
    JsonNode content = new ObjectMapper().readTree(out.toString());
    assertThat(content.get("checked").textValue()).isEqualTo("checksums");
    assertThat(content.at("/summary/documents").intValue()).isEqualTo(400);
    assertThat(content.at("/summary/splits/train/share_of_documents").doubleValue())
        .isEqualTo(content.at("/manifest/splits/train/documents").doubleValue() / 400);
    assertThat(content.at("/sample/1/beginning").textValue()).hasSize(60);
  }

  @Test
  @Order(2)
  void inspectionOfWhatIsNoFinishedFolderIsWrongUsage() throws IOException {
    assertThat(run("inspect", folder.resolve("nowhere").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("found no such folder");
    assertThat(run("inspect", folder.resolve("experiment.yaml").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("found a file");
    Path half = Files.createDirectory(folder.resolve("half"));
    Files.createFile(half.resolve("train-00000.arrow"));
    assertThat(run("inspect", half.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("expected a finished shard folder");
    assertThat(run("inspect", folder.resolve("shards").toString(), "--tokenizer=gpt2"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("--tokenizer: expected the one that made the tokens");
  }

  @Test
  @Order(2)
  void experimentEndsInAReport() throws IOException {
    assertThat(experiment()).isZero();
    assertThat(out.toString()).contains("ALiBi").contains("RegularGPT 8/2");
    String table = Files.readString(folder.resolve("out/report/table.csv"));
    assertThat(table.lines()).hasSize(1 + 2 * 2 * 3);
    assertThat(table)
        .startsWith("run,scheme,seed,protocol,length,count,nll_mean,ppl,stderr")
        .contains("regulargpt-8-2,regulargpt,2,aligned,128,20,");
    for (String file : new String[] {"report.html", "table.md", "table.tex"}) {
      assertThat(folder.resolve("out/report").resolve(file)).isNotEmptyFile();
    }
  }

  @Test
  @Order(3)
  void experimentStartedAgainRedoesNothing() throws IOException {
    Map<Path, FileTime> before = times(folder.resolve("out/runs"));
    assertThat(experiment()).isZero();
    assertThat(times(folder.resolve("out/runs"))).isEqualTo(before).isNotEmpty();
  }

  @Test
  @Order(4)
  void experimentThatLostItsLastPartsGoesOnAndEndsTheSame() throws IOException {
    Path results = trained("regulargpt-8-2-seed2").resolve("evaluation/results.jsonl");
    String expected = Files.readString(results);
    Map<Path, FileTime> before = times(trained("alibi-seed1"));
    delete(trained("regulargpt-8-2-seed2"));
    assertThat(experiment()).isZero();
    assertThat(Files.readString(results)).isEqualTo(expected);
    assertThat(times(trained("alibi-seed1"))).isEqualTo(before);
  }

  @Test
  @Order(5)
  void scoresOfTokensAndOfTheirTextAreTheSame() throws IOException {
    Files.writeString(folder.resolve("sample.txt"), "the text");
    Files.writeString(folder.resolve("tokens.json"), "[116,104,101,32,116,101,120,116]");
    String checkpoint = "--checkpoint=" + trained("alibi-seed1");
    assertThat(run("score", checkpoint, "--tokens=" + folder.resolve("tokens.json"), "--json"))
        .isZero();
    JsonNode scores = new ObjectMapper().readTree(out.toString());
    assertThat(scores.get("tokens")).hasSize(8);
    assertThat(scores.get("nll").get(0).isNull()).isTrue();
    assertThat(scores.get("nll").get(7).doubleValue()).isBetween(0.0, 12.0);
    String expected = out.toString();
    assertThat(run("score", checkpoint, "--text=" + folder.resolve("sample.txt"), "--json"))
        .isZero();
    assertThat(out.toString()).isEqualTo(expected);
  }

  private String generated(String... options) {
    String[] command = {
      "generate", "--checkpoint=" + trained("regulargpt-8-2-seed1"), "--tokens=40"
    };
    assertThat(run(Stream.of(command, options).flatMap(Stream::of).toArray(String[]::new)))
        .as(err.toString())
        .isZero();
    return out.toString();
  }

  @Test
  @Order(5)
  void aPromptIsContinuedTheSameForASeed() throws IOException {
    Files.writeString(folder.resolve("prompt.txt"), "thé text");
    String text = generated("--prompt=thé text", "--seed=3");
    assertThat(text).startsWith("thé text").hasSizeGreaterThan("thé text\n".length());
    assertThat(generated("--prompt-file=" + folder.resolve("prompt.txt"), "--seed=3"))
        .isEqualTo(text);
    assertThat(generated("--prompt=thé text", "--seed=4")).isNotEqualTo(text);
    String greedy = generated("--prompt=thé text", "--temperature=0", "--seed=3");
    assertThat(generated("--prompt=thé text", "--top-k=1", "--seed=4")).isEqualTo(greedy);
    assertThat(generated("--prompt=", "--set=context=8")).isNotEmpty();
    String checkpoint = "--checkpoint=" + trained("alibi-seed1");
    assertThat(run("generate", checkpoint, "--prompt=x", "--top-p=2")).isEqualTo(2);
    assertThat(err.toString()).contains("top_p: expected above 0 and at most 1, found 2.0");
    assertThat(run("generate", checkpoint)).isEqualTo(2);
    assertThat(run("generate", checkpoint, "--prompt-file=" + folder)).isEqualTo(2);
  }

  @Test
  @Order(6)
  void commandsOnTheirOwnRepeatWhatTheExperimentMeasured() throws IOException {
    assertThat(
            run(
                "evaluate",
                "--checkpoint=" + trained("alibi-seed1"),
                "--data=" + folder.resolve("shards"),
                "--lengths=16,64,128",
                "--chunks=20",
                "--set=seed=1",
                "--output=" + folder.resolve("again")))
        .isZero();
    String[] again = {
      "evaluate",
      "--checkpoint=" + trained("alibi-seed1"),
      "--data=" + folder.resolve("shards"),
      "--lengths=16,64,128",
      "--chunks=20",
      "--set=seed=2",
      "--output=" + folder.resolve("again")
    };
    assertThat(run(again)).isEqualTo(2);
    assertThat(err.toString()).contains("config.seed is 1 there and 2 now");
    assertThat(nllSums(folder.resolve("again")))
        .containsExactly(nllSums(trained("alibi-seed1").resolve("evaluation")), within(1e-3));
    assertThat(
            run(
                "receptive-field",
                "--checkpoint=" + trained("alibi-seed1"),
                "--data=" + folder.resolve("shards"),
                "--length=32",
                "--samples=3",
                "--set=seed=1",
                "--output=" + folder.resolve("field")))
        .isZero();
    assertThat(out.toString()).contains("alibi seed 1 at 32, trained: of the gradient 50 % within");
  }

  @Test
  @Order(7)
  void mistakesEndInTheirExitCodeAndLeaveNothing() throws IOException {
    String data = "--data=" + folder.resolve("shards");
    String output = "--output=" + folder.resolve("nothing");
    String checkpoint = "--checkpoint=" + trained("alibi-seed1");
    assertThat(run("evaluate", checkpoint, data, "--lengths=1000000", output)).isEqualTo(3);
    assertThat(err.toString()).contains("test split: expected at least");
    assertThat(run("evaluate", checkpoint, data, "--lengths=1", output)).isEqualTo(2);
    assertThat(run("evaluate", "--checkpoint=" + folder, data, "--lengths=16", output))
        .isEqualTo(3);
    assertThat(run("evaluate", checkpoint, data, "--lengths=16", "--set=protocol=3", output))
        .isEqualTo(2);
    assertThat(err.toString()).contains("did you mean `protocols`");
    assertThat(run("evaluate", checkpoint, data, "--lengths=16", "--set=device=gpu:7", output))
        .isEqualTo(2);
    assertThat(folder.resolve("nothing")).doesNotExist();
    Files.writeString(folder.resolve("bad.json"), "[1, 257]");
    assertThat(run("score", checkpoint, "--tokens=" + folder.resolve("bad.json"))).isEqualTo(3);
    assertThat(err.toString()).contains("token 1: expected an id from 0 to 256, found 257");
  }

  @Test
  @Order(7)
  void inspectionOfARunShowsItsNewestCheckpoint() throws IOException {
    String run = trained("alibi-seed1").toString();
    assertThat(run("inspect", run)).isZero();
    assertThat(out.toString()).contains("step-00000006, every file's SHA-256 verified");
    assertThat(run("inspect", run, "--json")).isZero();
    JsonNode content = new ObjectMapper().readTree(out.toString());
    assertThat(content.at("/state/step").intValue()).isEqualTo(6);
    assertThat(run("inspect", run, "--plot=" + folder.resolve("plots"))).isEqualTo(2);
    assertThat(err.toString()).contains("--plot: expected a shard folder");
  }

  @Test
  @Order(8)
  void alteredFilesAreFound() throws IOException {
    Path checkpoint;
    try (Stream<Path> steps = Files.list(trained("alibi-seed2").resolve("checkpoints"))) {
      checkpoint = steps.findFirst().orElseThrow();
    }
    flipAByte(checkpoint.resolve("model.safetensors"));
    assertThat(run("inspect", trained("alibi-seed2").toString())).isEqualTo(3);
    assertThat(err.toString()).contains("model.safetensors").contains("SHA-256");
    String shards = folder.resolve("shards").toString();
    flipAByte(folder.resolve("shards/train-00000.arrow"));
    assertThat(run("inspect", shards, "--sample=0", "--verify")).isEqualTo(3);
    assertThat(err.toString()).contains("train-00000.arrow: expected the SHA-256");
  }

  private static double[] nllSums(Path results) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    return Files.readAllLines(results.resolve("results.jsonl")).stream()
        .mapToDouble(
            line -> {
              try {
                return mapper.readTree(line).get("nll_sum").doubleValue();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .toArray();
  }

  private static void flipAByte(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
  }

  private static Map<Path, FileTime> times(Path root) throws IOException {
    Map<Path, FileTime> times = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        times.put(path, Files.getLastModifiedTime(path));
      }
    }
    return times;
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
