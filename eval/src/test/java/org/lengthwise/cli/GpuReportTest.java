package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.bench.BenchConfig;
import org.lengthwise.config.ConfigLoader;

/**
 * scripts/gpu-report.sh over a launcher that writes small results at once, and stops where told.
 */
class GpuReportTest {
  /**
   * Writes the name of each call to calls. Hangs in the call that the file hang names, in a process
   * of its own, and fails in that of fail.
   */
  private static final String LAUNCHER =
      """
      #!/usr/bin/env bash
      home=$(cd "$(dirname "$0")/.." && pwd)
      call=$1
      while [[ $# -gt 0 ]]; do
        case $1 in
          --parts) call=$2 ;;
          --output) output=$2 ;;
          --list) call=list ;;
          --input) cp "$2" "$home/read" ;;
        esac
        shift
      done
      echo "$call" >>"$home/calls"
      if [[ -e $home/hang && $(<"$home/hang") == "$call" ]]; then
        touch "$home/hangs"
        sleep 60
      fi
      if [[ -e $home/fail && $(<"$home/fail") == "$call" ]]; then
        echo "lengthwise: no such thing"
        exit "$(<"$home/code")"
      fi
      mkdir -p "$output"
      case $call in
        agreement) table='workload | variant | ms | float32 values\\n-|-|-|-\\nattention | alibi | 2 | 1.0e-06 of 1e-05' ;;
        schemes) table='workload | variant | T | tokens/s | operators\\n-|-|-|-|-\\nbatch | alibi | 64 | 1,000 | 90' ;;
        last-token) table='workload | variant | T\\n-|-|-\\nalibi | last position | 256' ;;
        list) printf 'alibi-seed1\\nbaselines\\n' ;;
        train) echo 'memory       about 1.5 GB' ;;
        run)
          mkdir -p "$output/runs/alibi-seed1/evaluation" "$output/report"
          touch "$output/runs/alibi-seed1/evaluation/DONE"
          echo '## Perplexity against length' >"$output/report/table.md"
          echo "12:00:00 INFO  alibi, T = 512: a training uses flash attention: 0.3 ms with flash attention, 0.4 ms with cuDNN's"
          ;;
      esac
      if [[ -n ${table:-} ]]; then
        printf "$table\\n" | sed 's/^/| /; s/$/ |/' >"$output/bench.md"
        printf 'some processor\\nJava\\nlengthwise 0.1.0\\n' >"$output/bench.txt"
      fi
      """;

  /** Has torch if the file torch exists, and too little time if late exists. */
  private static final String PYTHON =
      """
      #!/usr/bin/env bash
      home=$(cd "$(dirname "$0")/.." && pwd)
      [[ -e $home/torch ]] || { echo "PyTorch 9 finds no CUDA device" && exit 1; }
      while [[ $# -gt 0 ]]; do
        [[ $1 != --check ]] || exit 0
        if [[ $1 == --output ]]; then echo '| eager | 64 | 1.25 |' >"$2"; fi
        shift
      done
      [[ ! -e $home/late ]] || exit 75
      """;

  /** Has the card of the file card, if there is one, and writes each call to asked. */
  private static final String SMI =
      """
      #!/usr/bin/env bash
      home=$(cd "$(dirname "$0")/.." && pwd)
      echo "$*" >>"$home/asked"
      [[ -e $home/card ]] || { echo "No devices were found" && exit 9; }
      cat "$home/card"
      """;

  @TempDir private Path home;

  @BeforeEach
  void install() throws IOException {
    Files.createDirectories(home.resolve("scripts"));
    Files.copy(Path.of("../scripts/gpu-report.sh"), home.resolve("scripts/gpu-report.sh"));
    Files.createDirectories(home.resolve("conf"));
    for (String sizes : List.of("bench.yaml", "bench-gpu.yaml", "bench-quick.yaml")) {
      Files.copy(Path.of("../conf", sizes), home.resolve("conf").resolve(sizes));
    }
    program("scripts/lengthwise", LAUNCHER);
    Files.createDirectories(home.resolve("bin"));
    program("bin/python3", PYTHON);
    program("bin/nvidia-smi", SMI);
    tell("card", "NVIDIA H200");
  }

  private void program(String name, String text) throws IOException {
    Path file = Files.writeString(home.resolve(name), text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Process start(String... options) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("bash", "scripts/gpu-report.sh");
    builder.command().addAll(List.of(options));
    builder.environment().put("CUDA_VISIBLE_DEVICES", "3,5");
    builder.environment().merge("PATH", home + "/bin", (path, first) -> first + ":" + path);
    return builder
        .directory(home.toFile())
        .redirectErrorStream(true)
        .redirectOutput(home.resolve("printed").toFile())
        .start();
  }

  private String report(int code) throws Exception {
    Process process = start("--device", "cpu", "--minutes", "1", "out");
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(home.resolve("printed"))).isEqualTo(code);
    return Files.readString(home.resolve("out/gpu.md"));
  }

  private void tell(String what, String call) throws IOException {
    Files.writeString(home.resolve(what), call);
  }

  @Test
  void joinsThePartsToAPageAndSkipsThemAfterwards() throws Exception {
    String page = report(0);
    assertThat(page)
        .contains(
            "Every part of this page is whole.", "**1 of 1 differences are within their limits.**")
        .contains("| attention | alibi | 1.0e-06 of 1e-05 |", "| batch | alibi | 64 | 1,000 | 90 |")
        .contains(
            "### Perplexity", "| alibi | last position | 256 |", "    memory       about 1.5 GB")
        .contains("2 layers, d = 32", "The text is generated")
        .contains(
            "- alibi, T = 512: a training uses flash attention: 0.3 ms with flash attention, 0.4 ms with")
        .contains("in plain PyTorch was not timed: PyTorch 9 finds no CUDA device.");
    String calls = Files.readString(home.resolve("calls"));
    assertThat(report(0)).isEqualTo(page);
    assertThat(home.resolve("calls")).hasContent(calls);
    assertThat(page).doesNotContain(home.toString());
    try (InputStream archive = Files.newInputStream(home.resolve("out/gpu-report.tar.gz"));
        TarArchiveInputStream entries = new TarArchiveInputStream(new GZIPInputStream(archive))) {
      Set<String> names = new TreeSet<>();
      for (var entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
        names.add(entry.getName());
      }
      assertThat(names).contains("gpu.md", "speed/bench/bench.csv", "right/log.txt");
      assertThat(names).doesNotContain("table/generated.jsonl");
    }
  }

  @Test
  void measuresFiveSchemesAtBothLengthsAndTheOthersAtOne() throws Exception {
    Files.writeString(home.resolve("text.jsonl"), "{}");
    Process process = start("--minutes", "1", "--text", "text.jsonl", "out");
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    Set<String> first = schemes("first");
    assertThat(first).containsExactly("none", "alibi", "kerple-log", "t5", "regulargpt");
    assertThat(schemes("others"))
        .contains("sliding-window", "learned", "lru")
        .doesNotContainAnyElementsOf(first);
    assertThat(Files.readAllLines(home.resolve("out/speed/log.txt")))
        .anyMatch(line -> line.contains("first/bench-gpu.yaml") && !line.contains("lengths"))
        .anyMatch(line -> line.matches(".*others/bench-gpu.yaml .*schemes.lengths=.*512.*"));
  }

  private Set<String> schemes(String which) {
    Path file = home.resolve("out/speed").resolve(which).resolve("bench-gpu.yaml");
    return ConfigLoader.load(file, List.of()).bind(BenchConfig.class).schemes().schemes().keySet();
  }

  @ParameterizedTest
  @CsvSource({"right, agreement", "speed, schemes", "table, run", "extras, last-token"})
  void goesOnAfterAKillInAPart(String part, String call) throws Exception {
    tell("hang", call);
    Process process = start("--device", "cpu", "--minutes", "1", "out");
    while (process.isAlive() && !Files.exists(home.resolve("hangs"))) {
      Thread.sleep(20);
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
    assertThat(Files.readString(home.resolve("out/gpu.md")))
        .contains("**This page is not whole.**", part + ": not finished");
    Files.delete(home.resolve("hang"));
    Files.writeString(home.resolve("calls"), "");
    assertThat(report(0)).contains("Every part of this page is whole.");
    List<String> all = List.of("agreement", "schemes", "run", "last-token");
    assertThat(Files.readAllLines(home.resolve("calls")))
        .noneMatch(all.subList(0, all.indexOf(call))::contains)
        .containsAll(all.subList(all.indexOf(call), all.size()));
  }

  @Test
  void namesTheErrorOfAPartAndFinishesTheOthers() throws Exception {
    tell("fail", "schemes");
    tell("code", "3");
    assertThat(report(1))
        .contains("speed: failed with exit code 3.")
        .containsOnlyOnce("failed with exit code 3: lengthwise: no such thing")
        .contains("### Perplexity");
  }

  @Test
  void endsWithTheFirstPartIfTheDeviceIsRejected() throws Exception {
    tell("fail", "agreement");
    tell("code", "2");
    assertThat(report(2)).contains("right: failed with exit code 2;", "speed: not finished");
    assertThat(home.resolve("printed")).content().endsWith("lengthwise: no such thing\n");
    assertThat(Files.readAllLines(home.resolve("calls"))).doesNotContain("schemes", "run");
  }

  @Test
  void stopsWithinAPartWhenAskedTo() throws Exception {
    tell("hang", "schemes");
    Process process = start("--device", "cpu", "--minutes", "1", "out");
    while (process.isAlive() && !Files.exists(home.resolve("hangs"))) {
      Thread.sleep(20);
    }
    List<ProcessHandle> started = process.descendants().toList();
    process.destroy();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(75);
    requireEnded(started);
    assertThat(Files.readString(home.resolve("out/gpu.md")))
        .containsPattern("speed: cut after \\d+ s; table: not finished")
        .contains("| [right](right) | Is it right? | whole");
  }

  @Test
  void aKilledScriptLeavesNoProcess() throws Exception {
    tell("hang", "schemes");
    Process process = start("--device", "cpu", "--minutes", "1", "out");
    while (process.isAlive() && !Files.exists(home.resolve("hangs"))) {
      Thread.sleep(20);
    }
    List<ProcessHandle> started = process.descendants().toList();
    process.destroyForcibly().waitFor();
    requireEnded(started);
  }

  /** A process that has ended looks alive until the process 1 of the machine collects it. */
  private static void requireEnded(List<ProcessHandle> started) throws Exception {
    assertThat(started).hasSizeGreaterThan(1);
    for (ProcessHandle each : started) {
      each.onExit().get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void plainPyTorchThatNeedsMoreTimeIsNotWhole() throws Exception {
    Files.createFile(home.resolve("torch"));
    Path late = Files.createFile(home.resolve("late"));
    assertThat(report(75)).contains("| eager | 64 | 1.25 |").containsPattern("speed: cut after");
    Files.delete(late);
    assertThat(report(0)).contains("Every part of this page is whole.", "| eager | 64 | 1.25 |");
  }

  /** The first parts do not wait for the preparation. */
  @Test
  void endsThePreparationToo() throws Exception {
    tell("hang", "prepare");
    Process process = start("--device", "cpu", "--minutes", "1", "out");
    Path speed = home.resolve("out/speed/state");
    while (process.isAlive() && !(Files.exists(home.resolve("hangs")) && Files.exists(speed))) {
      Thread.sleep(20);
    }
    List<ProcessHandle> started = process.descendants().toList();
    process.destroy();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(75);
    requireEnded(started);
    assertThat(speed).content().startsWith("whole");
  }

  @Test
  void readsTheBeginningOfALongText() throws Exception {
    Path text = home.resolve("text.jsonl");
    String line = "x".repeat(999_999) + "\n";
    Files.writeString(text, line.repeat(40) + "y".repeat(10_000));
    Process process = start("--device", "cpu", "--minutes", "1", "--text", "text.jsonl", "out");
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.size(home.resolve("read"))).isEqualTo(39_000_000);
    assertThat(home.resolve("out/gpu.md")).content().contains("the first 39 MB of text.jsonl.");
    Path packed = Files.move(text, home.resolve("text.json"));
    Process refused = start("--minutes", "1", "--text", packed.toString(), "other");
    assertThat(refused.waitFor()).isEqualTo(2);
    assertThat(home.resolve("printed")).content().contains("expected at most 40 MB of text");
  }

  @Test
  void timesPlainPyTorchWherePythonHasIt() throws Exception {
    Files.createFile(home.resolve("torch"));
    assertThat(report(0)).contains("| eager | 64 | 1.25 |").doesNotContain("was not timed");
  }

  @Test
  void belongsToOneCardOfThoseThatAreVisible() throws Exception {
    Files.writeString(home.resolve("text.jsonl"), "{}");
    String[] options = {"--device", "gpu:1", "--minutes", "1", "--text", "text.jsonl", "out"};
    Process process = start(options);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(home.resolve("out/gpu.md")).content().startsWith("# A measurement of NVIDIA H200");
    assertThat(Files.readAllLines(home.resolve("asked"))).allMatch(call -> call.contains("-i 5"));
    assertThat(home.resolve("out/speed/bench/bench.csv")).content().contains("batch,alibi,64,1000");
    tell("card", "NVIDIA A100");
    assertThat(start(options).waitFor()).isEqualTo(2);
    assertThat(home.resolve("printed")).content().contains("found device gpu:1 (NVIDIA A100, ");
  }

  @Test
  void rejectsADeviceWithoutACard() throws Exception {
    Files.delete(home.resolve("card"));
    assertThat(start("--device", "gpu:0", "out").waitFor()).isEqualTo(2);
    assertThat(home.resolve("printed"))
        .content()
        .contains("expected a card for gpu:0, found none: nvidia-smi says 'No devices were found'");
    assertThat(home.resolve("out/gpu.md")).doesNotExist();
  }

  @Test
  void rejectsWrongOptions() throws Exception {
    for (String[] wrong :
        new String[][] {
          {}, {"--minutes", "0", "out"}, {"--device", "tpu", "out"}, {"--text", "none", "out"}
        }) {
      Process process = start(wrong);
      assertThat(process.waitFor()).isEqualTo(2);
      assertThat(Files.readString(home.resolve("printed"))).contains("expected");
    }
    report(0);
    Process other = start("--device", "gpu:0", "out");
    assertThat(other.waitFor()).isEqualTo(2);
    assertThat(Files.readString(home.resolve("printed"))).contains("choose another folder");
  }
}
