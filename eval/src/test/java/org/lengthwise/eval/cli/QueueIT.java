package org.lengthwise.eval.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two runs in two processes: interrupted, one damaged, mended, and equal to runs in turn. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class QueueIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Path CONF = HOME.resolve("conf");
  private static final List<String> RUNS = List.of("alibi-seed1", "none-seed1");

  @TempDir private static Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  void prepareAnExperiment() throws IOException {
    System.setProperty("lengthwise.home", HOME.toString());
    Files.createDirectories(folder.resolve("text"));
    for (int document = 0; document < 60; document++) {
      String text = ("Text " + document * document + " of some length.\n").repeat(20);
      Files.writeString(folder.resolve("text/" + document + ".txt"), text);
    }
    Files.writeString(
        folder.resolve("experiment.yaml"),
        """
        extends: [%1$s/base.yaml, %1$s/model/tiny.yaml]
        model: {layers: 1, width: 16, heads: 2}
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
          columns: [%1$s/position/alibi.yaml, %1$s/position/none.yaml]
          seeds: [1]
          lengths: [16, 64]
          evaluation:
            protocols: [{name: aligned, chunks: 10}]
            seed: 1
            within_document: false
            position_scaling: [none]
            memory_limit_megabytes: 64
            precision: float32
            device: cpu
          receptive_field: {lengths: [16], samples: 2}
        """
            .formatted(CONF, folder.resolve("shards")));
    int prepared =
        run(
            "prepare",
            "--config=" + CONF.resolve("prepare.yaml"),
            "--input=" + folder.resolve("text"),
            "--output=" + folder.resolve("shards"),
            "--tokenizer=bytes",
            "--set=split.train=0.6",
            "--set=split.validation=0.2",
            "--set=split.test=0.2");
    assertThat(prepared).as(err.toString()).isZero();
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Lengthwise.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private static List<String> arguments(String output, String... more) {
    List<String> arguments = new ArrayList<>();
    arguments.add("run");
    arguments.add("--config=" + folder.resolve("experiment.yaml"));
    arguments.add("--output=" + folder.resolve(output));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private int experiment(String output, String... more) {
    return run(arguments(output, more).toArray(String[]::new));
  }

  private static Process queueElsewhere(String output) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Lengthwise.class.getName());
    command.addAll(arguments(output, "--queue=cpu:2"));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String readUntil(BufferedReader lines, String part) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.contains(part)) {
      line = lines.readLine();
    }
    assertThat(line).as("a line with %s", part).isNotNull();
    return String.valueOf(line);
  }

  private static List<String> checkpoints(String output, String run) throws IOException {
    try (Stream<Path> all =
        Files.list(folder.resolve(output).resolve("runs/" + run + "/checkpoints"))) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }

  @Test
  @Order(1)
  void aSignalEndsTheStepOfEveryRunAndSaysHowToGoOn() throws Exception {
    Process process = queueElsewhere("queued");
    try (BufferedReader lines = process.inputReader()) {
      readUntil(lines, "run 2 of 2: none-seed1 on cpu");
      process.toHandle().destroy();
      readUntil(lines, "stopped; to go on:");
      assertThat(lines.readLine()).contains("run --config=", "--queue=cpu:2");
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
    for (String run : RUNS) {
      assertThat(checkpoints("queued", run)).containsExactly("step-00000001");
    }
  }

  @Test
  @Order(1)
  void runsDoNotOutliveTheProcessThatBeganThem() throws Exception {
    Process process = queueElsewhere("orphaned");
    try (BufferedReader lines = process.inputReader()) {
      readUntil(lines, "run 2 of 2: none-seed1 on cpu");
      List<ProcessHandle> children = process.descendants().toList();
      assertThat(children).hasSize(2);
      process.destroyForcibly().waitFor();
      for (ProcessHandle child : children) {
        child.onExit().get(2, TimeUnit.MINUTES);
      }
    }
    for (String run : RUNS) {
      assertThat(checkpoints("orphaned", run)).containsExactly("step-00000001");
    }
  }

  @Test
  @Order(2)
  void aRunThatFailsIsReportedWhenTheOthersAreThrough() throws IOException {
    Path damaged = folder.resolve("queued/runs/alibi-seed1/checkpoints/step-00000001");
    Files.writeString(
        damaged.resolve("model.safetensors"),
        "?",
        StandardCharsets.UTF_8,
        StandardOpenOption.APPEND);
    assertThat(experiment("queued", "--queue=cpu:2")).isEqualTo(3);
    assertThat(err.toString())
        .contains("1 of 2 runs failed", "alibi-seed1, exit code 3", "model.safetensors");
    assertThat(folder.resolve("queued/runs/none-seed1/evaluation/DONE")).exists();
    assertThat(folder.resolve("queued/report")).doesNotExist();
  }

  @Test
  @Order(3)
  void aQueueEndsWithTheNumbersOfRunsInTurn() throws IOException {
    Files.move(folder.resolve("queued/runs/alibi-seed1"), folder.resolve("set-aside"));
    assertThat(experiment("queued", "--queue=cpu:2")).as(err.toString()).isZero();
    assertThat(out.toString()).contains("ALiBi", "report.html");
    assertThat(experiment("in-turn", "--only=alibi-seed1")).isZero();
    assertThat(folder.resolve("in-turn/report")).doesNotExist();
    assertThat(experiment("in-turn")).isZero();
    for (String file : List.of("report/table.csv", "report/table.md")) {
      assertThat(folder.resolve("queued").resolve(file))
          .hasSameTextualContentAs(folder.resolve("in-turn").resolve(file));
    }
  }

  @Test
  @Order(3)
  void aRunThatIsNotThereIsNamed() {
    assertThat(experiment("in-turn", "--only=alibi-seed7")).isEqualTo(2);
    assertThat(err.toString()).contains("run alibi-seed7: expected one of alibi-seed1, none-seed1");
  }
}
