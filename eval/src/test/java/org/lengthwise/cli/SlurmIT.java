package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.artifact.Sha256;

/** An experiment as jobs of a real Slurm cluster with two nodes on this machine. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlurmIT {
  private static final List<String> RUNS =
      List.of("alibi-seed1", "alibi-seed2", "none-seed1", "none-seed2");
  private static final String KILLED = "none-seed1";

  /** About a second of training, so that a signal comes before its end. */
  private static final String STEPS = "training.steps=300";

  private static final String[] OPTIONS = {"--", "--time=5", "--mem=900", "--gres=gpu:1"};

  @TempDir private static Path folder;
  private static TinyExperiment tiny;
  private static SlurmCluster cluster;

  @BeforeAll
  static void startACluster() throws Exception {
    cluster = new SlurmCluster(folder.resolve("cluster"));
    tiny = new TinyExperiment(folder.resolve("tiny"));
    tiny.writeExperiment("[1, 2]", "alibi", "none");
  }

  @AfterAll
  static void stopTheCluster() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static SlurmCluster.Outcome submit(String output, String... options) {
    return cluster.run(submission(output, options));
  }

  private static ProcessBuilder submission(String output, String... options) {
    String[] words = {
      CommandRunner.HOME.resolve("scripts/slurm.sh").toString(),
      "--set",
      STEPS,
      "--set",
      "training.checkpoint.interval=100000",
      tiny.resolve("experiment.yaml").toString(),
      tiny.resolve(output).toString()
    };
    return cluster.builder(Stream.of(words, options).flatMap(Stream::of).toArray(String[]::new));
  }

  private static String log(String name) {
    try {
      Path file = tiny.resolve("out/logs/" + name + ".log");
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean trains(String run) {
    Path metrics = tiny.resolve("out/runs/" + run + "/metrics.jsonl");
    try {
      return Files.exists(metrics) && Files.readString(metrics).contains("\"step\":10,");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until a run trains, and sends the signal that Slurm sends before the time limit. */
  private static void stop(int task) {
    SlurmCluster.await(RUNS.get(task) + " trains", () -> trains(RUNS.get(task)));
    cluster
        .processes()
        .filter(process -> process.info().commandLine().orElse("").endsWith("slurm_script"))
        .filter(process -> isOf(process, task + 1))
        .forEach(ProcessHandle::destroy);
  }

  private static boolean isOf(ProcessHandle process, int task) {
    return SlurmCluster.variables(process.pid()).contains("SLURM_ARRAY_TASK_ID=" + task);
  }

  private static void killItsProcess() {
    String resumed = "resumes after step";
    SlurmCluster.await(resumed, () -> log("slurm-" + KILLED).contains(resumed));
    cluster.processes().filter(SlurmIT::isKilled).findFirst().orElseThrow().destroyForcibly();
  }

  private static boolean isKilled(ProcessHandle process) {
    String line = process.info().commandLine().orElse("");
    return line.contains("/bin/java ") && line.endsWith("--only " + KILLED);
  }

  private static String afterTheQueueIsEmpty() {
    SlurmCluster.await("an empty queue", () -> cluster.call("squeue", "-h").isEmpty());
    return log("report");
  }

  @Test
  void jobsThatAreStoppedAndKilledEndWithTheBitsOfOneProcess() throws Exception {
    SlurmCluster.Outcome first = submit("out", OPTIONS);
    assertThat(first.code()).as(first.output()).isZero();
    String job = first.output().lines().findFirst().orElseThrow().replaceAll("job (\\d+)_.*", "$1");
    for (int task = 0; task < RUNS.size(); task++) {
      stop(task);
    }
    assertThat(submit("out", OPTIONS).output()).contains("in the queue already, as job " + job);
    killItsProcess();

    assertThat(afterTheQueueIsEmpty())
        .contains(
            "== none-seed1 is not finished. The end of", "exit code 137", "unfinished runs: 1.")
        .doesNotContain("alibi-seed1");
    assertThat(tiny.resolve("out/report")).doesNotExist();
    for (String run : RUNS) {
      assertThat(log("slurm-" + run))
          .contains("processors: 1 by SLURM_CPUS_ON_NODE; memory: 900 MiB by SLURM_MEM_PER_NODE")
          .contains(
              "CUDA_VISIBLE_DEVICES=0",
              run + " is queued again",
              "restart 1",
              "resumes after step");
    }

    assertThat(submit("out", OPTIONS).output())
        .contains(": none-seed1, log")
        .doesNotContain("seed2");
    assertThat(afterTheQueueIsEmpty()).contains("ALiBi", "report.html");
    assertThat(submit("out").output()).contains("all 5 runs are finished");

    new CommandRunner()
        .run(
            tiny.experiment(
                "one",
                "--queue=none",
                "--set=" + STEPS,
                "--set=training.checkpoint.interval=100000"));
    Map<String, String> results = results("out");
    assertThat(results).hasSizeGreaterThan(20).isEqualTo(results("one"));
  }

  /** The checksums of weights, rows and results, whose lines name the folder. */
  private static Map<String, String> results(String output) throws IOException {
    Map<String, String> results = new TreeMap<>();
    Path root = tiny.resolve(output);
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = root.relativize(file).toString();
        if (name.matches(".*\\.(safetensors|arrow|csv)|.*(results|fields)\\.jsonl")) {
          String content = Files.readString(file, StandardCharsets.ISO_8859_1);
          String anywhere = content.replace(root.toString(), "");
          results.put(name, Sha256.of(anywhere.getBytes(StandardCharsets.ISO_8859_1)));
        }
      }
    }
    return results;
  }

  @Test
  void runsWaitForTheTrialsOfTheirSearch() {
    String search =
        "experiment.search={trials: 2, seed: 3, trial: {training.steps: 6},"
            + " space: {optimizer.learning_rate: [1.0e-3, 1.0e-2]}}";
    String seeds = "experiment.seeds=[1]";
    String column = "experiment.columns=[{name: none, position: {scheme: none}}]";
    SlurmCluster.Outcome outcome =
        submit("searched", "--set", search, "--set", seeds, "--set", column, "--", "--mem=900");
    assertThat(outcome.code()).as(outcome.output()).isZero();
    assertThat(outcome.output()).containsPattern("job (\\d+)_1: none-trial1[^_]+_2: none-trial2");
    assertThat(cluster.call("squeue", "-h", "-o", "%K %E"))
        .containsPattern("3-4 afterany:\\d+_\\*\\(unfulfilled\\)");
    SlurmCluster.await("an empty queue", () -> cluster.call("squeue", "-h").isEmpty());
    assertThat(tiny.resolve("searched/report/search.csv")).content().hasLineCount(3);
  }

  @Test
  void wrongUsesEndInOneMessageAndLeaveNoJob() throws IOException {
    assertThat(submit("wrong", "--", "--partition=nowhere").output())
        .contains("invalid partition", "Slurm cannot run such a job: sinfo lists");
    SlurmCluster.Outcome tooShort = submit("wrong", "--", "--time=3");
    assertThat(tooShort.code()).isEqualTo(2);
    assertThat(tooShort.output())
        .contains("slurm: a time limit of 3:00 is too short", "--signal=B:TERM@30");
    ProcessBuilder elsewhere = submission("wrong");
    elsewhere
        .environment()
        .put("PATH", programs("bash", "dirname", "realpath", "basename", "cksum", "cut", "tr"));
    assertThat(cluster.run(elsewhere).output())
        .isEqualTo(
            "slurm: no sbatch on the PATH: call this script on a login node of a Slurm cluster\n");
    assertThat(cluster.call("squeue", "-h", "-o", "%j")).doesNotContain("-wrong-");
  }

  /** A folder with some of the system's programs, for PATH. */
  private static String programs(String... names) throws IOException {
    Path programs = Files.createDirectories(folder.resolve("programs"));
    for (String name : names) {
      Path program = programs.resolve(name);
      Files.writeString(program, "#!/bin/sh\nexec /usr/bin/%s \"$@\"\n".formatted(name));
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return programs.toString();
  }

  @Test
  void aDryRunPrintsBothScriptsAndMakesNoFolder() {
    ProcessBuilder dry = submission("dry", "--", "--gres=gpu:1");
    dry.command().add(1, "--dry-run");
    assertThat(cluster.run(dry).output())
        .contains("--array=1-5", "names=(alibi-seed1 alibi-seed2 none-seed1 none-seed2 baselines )")
        .contains("#SBATCH --gres=gpu:1", "--dependency=afterany", "--unfinished");
    assertThat(tiny.resolve("dry")).doesNotExist();
  }
}
