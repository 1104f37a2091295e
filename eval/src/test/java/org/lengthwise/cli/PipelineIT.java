package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.artifact.ArtifactFolder;

/** The whole pipeline from text to report, and an experiment that is started again. */
class PipelineIT {
  @TempDir private static Path folder;
  private static TinyExperiment tiny;
  private static String printed;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void runAnExperiment() throws IOException {
    tiny = new TinyExperiment(folder);
    tiny.writeExperiment("[1, 2]", "alibi", "regulargpt-8-2");
    printed = new CommandRunner().run(tiny.experiment("out"));
  }

  @Test
  void anExperimentEndsInAReport() throws IOException {
    assertThat(printed).contains("ALiBi").contains("RegularGPT 8/2").contains("report.html");
    String table = Files.readString(tiny.resolve("out/report/table.csv"));
    assertThat(table.lines()).hasSize(1 + 2 * 2 * 2 + 2 * 2);
    assertThat(table)
        .startsWith("run,scheme,seed,protocol,length,count,nll_mean,ppl,stderr")
        .contains("regulargpt-8-2,regulargpt,2,aligned,64,10,")
        .contains("kneser-ney-3,kneser-ney,0,aligned,64,10,")
        .contains("kneser-ney-3-read,kneser-ney,0,aligned,16,10,");
    assertThat(printed)
        .containsPattern(
            "At T_tr, (no run beats|these runs do not beat) the baseline 3-gram, tokens")
        .contains("3-gram, tokens read counts the first 384 tokens of the training split");
    for (String file : new String[] {"report.html", "table.md", "table.tex"}) {
      assertThat(tiny.resolve("out/report").resolve(file)).isNotEmptyFile();
    }
  }

  @Test
  void aFinishedExperimentIsNotRepeated() throws IOException {
    Path runs = tiny.copy("out", "again").resolve("runs");
    Map<Path, FileTime> before = TinyExperiment.times(runs);
    commands.run(tiny.experiment("again"));
    assertThat(TinyExperiment.times(runs)).isEqualTo(before).isNotEmpty();
  }

  @Test
  void anExperimentWithoutOneRunRepeatsThatRunWithTheSameResults() throws IOException {
    Path runs = tiny.copy("out", "incomplete").resolve("runs");
    Path results = runs.resolve("regulargpt-8-2-seed2/evaluation/results.jsonl");
    String expected =
        Files.readString(results).replace(tiny.resolve("out") + "/", runs.getParent() + "/");
    Map<Path, FileTime> before = TinyExperiment.times(runs.resolve("alibi-seed1"));
    ArtifactFolder.delete(runs.resolve("regulargpt-8-2-seed2"));
    commands.run(tiny.experiment("incomplete"));
    assertThat(Files.readString(results)).isEqualTo(expected);
    assertThat(TinyExperiment.times(runs.resolve("alibi-seed1"))).isEqualTo(before);
  }

  @Test
  void baselinesAreMeasuredOnTheTargetsOfTheRuns() throws IOException {
    Path runs = tiny.resolve("out/runs");
    assertThat(values(runs.resolve("baselines"), "targets_sha256"))
        .hasSameElementsAs(values(runs.resolve("alibi-seed1/evaluation"), "targets_sha256"));
    String[] evaluate = {
      "evaluate",
      tiny.option("--checkpoint", "out/runs/alibi-seed1"),
      tiny.data(),
      "--lengths=16,64",
      "--samples=10",
      "--set=seed=1",
      "--baseline=kneser-ney-3",
      tiny.option("--output", "with-baseline")
    };
    commands.run(evaluate);
    assertThat(values(tiny.resolve("with-baseline"), "nll_sum"))
        .endsWith(values(runs.resolve("baselines"), "nll_sum").toArray(String[]::new));
  }

  private static List<String> values(Path results, String key) throws IOException {
    List<String> values = new ArrayList<>();
    for (String line : Files.readAllLines(results.resolve("results.jsonl"))) {
      values.add(new ObjectMapper().readTree(line).get(key).asText());
    }
    return values;
  }

  @Test
  void commandsMeasureWhatTheExperimentMeasured() throws IOException {
    String checkpoint = tiny.option("--checkpoint", "out/runs/alibi-seed1");
    String[] evaluate = {
      "evaluate",
      checkpoint,
      tiny.data(),
      "--lengths=16,64",
      "--samples=10",
      "--set=seed=1",
      tiny.option("--output", "single")
    };
    commands.run(evaluate);
    assertThat(nllSums(tiny.resolve("single")))
        .containsExactly(nllSums(tiny.resolve("out/runs/alibi-seed1/evaluation")), within(1e-3));
    evaluate[5] = "--set=seed=2";
    assertThat(commands.fail(2, evaluate)).contains("config.seed was 1, is now 2");
    String[] field = {
      "receptive-field",
      checkpoint,
      tiny.data(),
      "--length=32",
      "--samples=3",
      "--set=seed=1",
      tiny.option("--output", "field")
    };
    assertThat(commands.run(field))
        .contains("alibi seed 1 at 32, trained: of the gradient 50 % within");
  }

  @Test
  void aDamagedConfigOfACheckpointIsBadData() throws IOException {
    Path out = tiny.copy("out", "damaged");
    Path checkpoint = out.resolve("runs/alibi-seed1/checkpoints/step-00000006");
    Files.writeString(checkpoint.resolve("config.json"), "{\"format_version\": ");
    String run = out.resolve("runs/alibi-seed1").toString();
    String[][] readers = {
      {"inspect", run},
      {
        "evaluate",
        "--checkpoint=" + run,
        tiny.data(),
        "--lengths=16",
        tiny.option("--output", "no")
      },
      {"report", "--results=" + out, tiny.option("--output", "no")}
    };
    for (String[] reader : readers) {
      assertThat(commands.fail(3, reader)).as(reader[0]).contains("config.json");
    }
    assertThat(tiny.resolve("no")).doesNotExist();
  }

  private static double[] nllSums(Path results) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    List<Double> sums = new ArrayList<>();
    for (String line : Files.readAllLines(results.resolve("results.jsonl"))) {
      sums.add(mapper.readTree(line).get("nll_sum").doubleValue());
    }
    return sums.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
