package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.ngram.ReferenceKneserNey;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.result.NllFile;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.ScoredTargets;

/** {@code evaluate} with several checkpoints, protocols and lengths. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EvaluationIT {
  private static final int END_OF_TEXT = 256;

  @TempDir private static Path folder;
  private static TinyExperiment tiny;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void trainTwoModels() throws IOException {
    tiny = new TinyExperiment(folder);
    tiny.write("strides.yaml", "{name: sliding-window, samples: 9, stride: 4}");
    tiny.train("alibi", "{scheme: alibi}");
    tiny.train("regulargpt", "{scheme: regulargpt, chunk: 8}");
  }

  private static String[] evaluate(String output, String option, String[] options) {
    return Stream.concat(Stream.of(evaluate(output, option)), Stream.of(options))
        .toArray(String[]::new);
  }

  private static String[] evaluate(String output, String... options) {
    List<String> words = new ArrayList<>();
    words.add("evaluate");
    words.add(tiny.checkpoint("alibi"));
    words.add(tiny.checkpoint("regulargpt"));
    words.add(tiny.data());
    words.add(tiny.option("--output", output));
    words.addAll(List.of(options));
    return words.toArray(String[]::new);
  }

  private static List<EvaluationResult> results(String output) throws IOException {
    return ResultFile.EVALUATIONS.values(tiny.resolve(output));
  }

  private static ScoredTargets rows(String output, EvaluationResult result) throws IOException {
    return NllFile.read(tiny.resolve(output).resolve(NllFile.nameFor(result))).scored();
  }

  private static String allProtocols() {
    return "--protocol=aligned,independent,%s,non-overlapping,by-position"
        .formatted(tiny.resolve("strides.yaml"));
  }

  @Test
  void eachResultEqualsTheSumOfItsRowsAndModelsShareTheirTargets() throws IOException {
    assertThat(commands.run(evaluate("all", allProtocols(), "--samples=7", "--lengths=9,33")))
        .contains("alibi seed 1, sliding-window at 9: perplexity", "by-position at 33");
    Map<String, String> targets = new HashMap<>();
    for (EvaluationResult result : results("all")) {
      ScoredTargets rows = rows("all", result);
      double sum = 0;
      double squares = 0;
      for (int row = 0; row < rows.count(); row++) {
        sum += rows.nll(row);
        squares += rows.nll(row) * rows.nll(row);
      }
      assertThat(result.sums().sum()).isCloseTo(sum, within(1e-9));
      assertThat(result.sums().squareSum()).isCloseTo(squares, within(1e-9));
      assertThat(result.sums().count()).isEqualTo(rows.count());
      assertThat(rows.leastPosition())
          .isEqualTo(result.length() - result.windows().scoredPerWindow());
      String cell = result.protocol() + " " + result.length();
      String first = targets.putIfAbsent(cell, result.targetsSha256());
      assertThat(first == null || first.equals(rows.targetsSha256())).as(cell).isTrue();
    }
    assertThat(results("all")).hasSize(2 * 5 * 2);
    assertThat(targets).hasSize(5 * 2);
  }

  @Test
  void bytesAreThoseOfTheTextOfTheTargets() throws IOException {
    String[] options = {allProtocols(), "--samples=7", "--lengths=9,33", "--baseline=kneser-ney-1"};
    assertThat(commands.run(evaluate("sized", options)).lines())
        .allMatch(line -> line.matches(".*: perplexity .* \\+- [0-9.]+\\), [0-9.]+ bits per byte"));
    try (ShardFolder shards = ShardFolder.open(tiny.resolve("shards").toString())) {
      TokenStream test = shards.tokens(Split.TEST);
      int[] id = new int[1];
      for (EvaluationResult result : results("sized")) {
        ScoredTargets rows = rows("sized", result);
        long bytes = 0;
        for (int row = 0; row < rows.count(); row++) {
          test.read(rows.target(row), id, 0, 1);
          bytes += id[0] == END_OF_TEXT ? 0 : 1;
        }
        assertThat(result.text().bytes()).as("%s", result).isEqualTo(bytes);
        assertThat(result.text().tokenizerSha256())
            .isEqualTo(shards.manifest().tokenizer().sha256());
      }
    }
  }

  @Test
  void withinDocumentsNoWindowContainsAnEndOfText() throws IOException {
    String[] options = {allProtocols(), "--samples=7", "--lengths=9,33", "--within-document"};
    assertThat(commands.run(evaluate("inside", options)))
        .contains("aligned within documents at 33");
    assertThat(results("inside")).hasSize(20).allMatch(result -> result.windows().withinDocument());
    try (ShardFolder shards = ShardFolder.open(tiny.resolve("shards").toString())) {
      TokenStream test = shards.tokens(Split.TEST);
      for (EvaluationResult result : results("inside")) {
        ScoredTargets rows = rows("inside", result);
        for (int row = 0; row < rows.count(); row++) {
          int[] context = new int[rows.position(row)];
          test.read(rows.target(row) - context.length, context, 0, context.length);
          assertThat(context).doesNotContain(END_OF_TEXT);
        }
      }
    }
    assertThat(commands.fail(3, evaluate("never", "--lengths=9,1000", "--within-document")))
        .contains("at least 1,000 samples where one document holds 1,000 tokens")
        .contains("found 0 such samples in 0 of ");
    assertThat(tiny.resolve("never")).doesNotExist();
  }

  @Test
  void baselinesHaveTheLikelihoodsOfTheirDefinitionOnTheTargetsOfTheModels() throws IOException {
    String[] options = {allProtocols(), "--samples=3", "--lengths=9,17"};
    commands.run(evaluate("baselines", "--baseline=kneser-ney-1,kneser-ney-3", options));
    List<EvaluationResult> results = results("baselines");
    assertThat(results).extracting(EvaluationResult::run).contains("kneser-ney-3-read");
    Map<String, String> targets = new HashMap<>();
    results.forEach(
        result ->
            targets.merge(
                result.protocol() + " " + result.length(),
                result.targetsSha256(),
                (one, other) -> {
                  assertThat(other).as(result.run()).isEqualTo(one);
                  return one;
                }));
    try (ShardFolder shards = ShardFolder.open(tiny.resolve("shards").toString())) {
      TokenStream train = shards.tokens(Split.TRAIN);
      int[] counted = new int[Math.toIntExact(train.numTokens())];
      train.read(0, counted, 0, counted.length);
      // 6 steps of 4 sequences of 16 tokens
      requireReference("kneser-ney-3", new ReferenceKneserNey(3, 257, counted), shards);
      requireReference(
          "kneser-ney-3-read",
          new ReferenceKneserNey(3, 257, Arrays.copyOf(counted, 6 * 4 * 16)),
          shards);
    }
    assertThat(commands.fail(2, evaluate("never", "--lengths=9", "--baseline=kneser-ney")))
        .contains("--baseline: expected kneser-ney-1 to kneser-ney-9, found kneser-ney");
  }

  private static void requireReference(String run, ReferenceKneserNey reference, ShardFolder shards)
      throws IOException {
    TokenStream test = shards.tokens(Split.TEST);
    for (EvaluationResult result : results("baselines")) {
      if (result.run().equals(run)) {
        ScoredTargets rows = rows("baselines", result);
        for (int row = 0; row < rows.count(); row++) {
          int[] gram = new int[Math.min(2, rows.position(row)) + 1];
          test.read(rows.target(row) - gram.length + 1, gram, 0, gram.length);
          List<Integer> context = Arrays.stream(gram, 0, gram.length - 1).boxed().toList();
          assertThat(rows.nll(row))
              .as("%s, row %d", result, row)
              .isCloseTo(
                  -Math.log(reference.probability(context, gram[gram.length - 1])), within(1e-6));
        }
      }
    }
  }

  /** Documents end at their end of text, which is id 256. */
  @Test
  void theLastTokensOfDocumentsHaveATableOfTheirOwn() throws IOException {
    String strides = "--protocol=" + tiny.resolve("strides.yaml");
    commands.run(evaluate("ends", strides, "--lengths=9,33"));
    String report = tiny.option("--output", "ends-report");
    String results = tiny.option("--results", "ends");
    String shards = "--report-set=document_end.data=" + tiny.resolve("shards");
    commands.run("report", results, report, shards, "--report-set=document_end.last=3");
    String tables = Files.readString(tiny.resolve("ends-report/table.md"));
    assertThat(tables).contains("among the last 3 tokens of their document");
    for (EvaluationResult result : results("ends")) {
      ScoredTargets rows = rows("ends", result);
      double[] nlls =
          IntStream.range(0, rows.count())
              .filter(row -> isNearAnEnd(rows.target(row)))
              .mapToDouble(rows::nll)
              .toArray();
      assertThat(nlls).hasSizeBetween(1, rows.count() - 1);
      double perplexity = Math.exp(Arrays.stream(nlls).average().orElseThrow());
      assertThat(tables.substring(tables.indexOf("last tokens of documents")))
          .contains(String.format(Locale.ROOT, "| %.2f |", perplexity));
      if (result.length() == 33) {
        assertThat(tables).contains(": %s targets at length 33.".formatted(nlls.length));
      }
    }
    String text = tiny.option("--input", "text");
    commands.run("prepare", text, tiny.option("--output", "other"), "--tokenizer=bytes");
    String other = "--report-set=document_end.data=" + tiny.resolve("other");
    assertThat(commands.fail(3, "report", results, report, other))
        .contains("the shards that were measured", "name the measured shards");
  }

  private static boolean isNearAnEnd(long target) {
    try (ShardFolder shards = ShardFolder.open(tiny.resolve("shards").toString())) {
      TokenStream test = shards.tokens(Split.TEST);
      int[] ids = new int[(int) Math.min(3, test.numTokens() - target)];
      test.read(target, ids, 0, ids.length);
      return Arrays.stream(ids).anyMatch(id -> id == END_OF_TEXT);
    }
  }

  @Test
  void wrongOptionsAndMissingDataLeaveNothing() {
    assertThat(commands.fail(2, evaluate("never", "--lengths=9", "--protocol=alligned")))
        .contains("--protocol: expected one of aligned, independent");
    assertThat(commands.fail(2, evaluate("never", "--lengths=9", "--samples=0")))
        .contains("--samples: expected at least 1");
    assertThat(commands.fail(2, evaluate("never", "--lengths=9", "--protocol=sliding-window")))
        .contains("at least 129 tokens, for the protocol sliding-window");
    assertThat(commands.fail(2, evaluate("never", "--lengths=9", tiny.checkpoint("alibi"))))
        .contains("differs from all others")
        .contains("alibi seed 1 step 6");
    assertThat(commands.fail(3, evaluate("never", "--lengths=1000000")))
        .contains("test split: expected at least");
    commands.fail(2, evaluate("never", "--lengths=1"));
    commands.fail(3, evaluate("never", "--lengths=16", "--checkpoint=" + folder));
    assertThat(commands.fail(2, evaluate("never", "--lengths=16", "--set=protocol=3")))
        .contains("did you mean `protocols`");
    commands.fail(2, evaluate("never", "--lengths=16", "--set=device=gpu:7"));
    assertThat(tiny.resolve("never")).doesNotExist();
  }

  @Test
  void aKilledEvaluationResumesAtTheCellThatWasNotFinished() throws Exception {
    String[] options = {allProtocols(), "--samples=30", "--lengths=9,17,33,65,129"};
    commands.run(evaluate("whole", options));
    Process process = CommandRunner.start(tiny.resolve("log"), evaluate("killed", options));
    Path partial = tiny.resolve(".killed.partial");
    while (process.isAlive() && lines(partial).isEmpty()) {
      process.waitFor(2, TimeUnit.MILLISECONDS);
    }
    process.destroyForcibly().waitFor();
    List<String> before = lines(partial);
    assertThat(before).hasSizeBetween(1, 2 * 5 * 5 - 1);
    Map<Path, FileTime> times = times(partial.resolve("content"), before.size());

    String[] other = {allProtocols(), "--samples=31", "--lengths=9,17,33,65,129"};
    assertThat(commands.fail(2, evaluate("killed", other))).contains(".killed.partial");
    commands.run(evaluate("killed", options));
    assertThat(partial).doesNotExist();
    assertThat(Files.readAllLines(tiny.resolve("killed/results.jsonl")))
        .isEqualTo(Files.readAllLines(tiny.resolve("whole/results.jsonl")))
        .startsWith(before.toArray(String[]::new));
    for (Map.Entry<Path, FileTime> file : times.entrySet()) {
      assertThat(Files.getLastModifiedTime(tiny.resolve("killed").resolve(file.getKey())))
          .isEqualTo(file.getValue());
    }
    try (Stream<Path> files = Files.list(tiny.resolve("killed"))) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .allMatch(name -> tiny.resolve("whole").resolve(name).toFile().isFile())
          .contains("provenance.json")
          .hasSize(2 * 5 * 5 + 4);
    }
  }

  private static List<String> lines(Path partial) throws IOException {
    Path results = partial.resolve("content/results.jsonl");
    return Files.exists(results) ? Files.readAllLines(results) : List.of();
  }

  /** When the rows of the first results were written. */
  private static Map<Path, FileTime> times(Path content, int count) throws IOException {
    Map<Path, FileTime> times = new HashMap<>();
    for (Located<EvaluationResult> line : ResultFile.EVALUATIONS.read(content).subList(0, count)) {
      Path name = Path.of(NllFile.nameFor(line.value()));
      times.put(name, Files.getLastModifiedTime(content.resolve(name)));
    }
    return times;
  }
}
