package org.lengthwise.training.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.EnumName;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.model.BlockRecurrence;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.Recurrence;
import org.lengthwise.model.Staircase;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Schemes;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task.Batch;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.replica.ReplicaGroup;
import org.lengthwise.training.replica.ReplicaGroup.StepObserver;

/**
 * Compares the estimate with the memory of a child process: the peak of its resident memory over
 * two steps, less its resident memory after two steps of a tiny model of the same scheme.
 */
@EnabledOnOs(OS.LINUX)
class MemoryEstimateIT {
  private static final int TOLERATED_PERCENTAGE = 30;

  /** Trains and prints the estimated and the measured bytes. */
  static final class Child {
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");
    private static final int BYTES_PER_KILOBYTE = 1024;
    private static final int STEPS = 2;
    private static final int LAYERS = 4;
    private static final int SMALL_VOCABULARY = 257;

    private Child() {}

    public static void main(String[] arguments) throws IOException {
      PositionalScheme scheme = scheme(arguments[0]);
      Precision precision = EnumName.constant(Precision.class, arguments[1]);
      int numReplicas = Integer.parseInt(arguments[2]);
      Recurrence recurrence = recurrence(arguments[3]);
      int vocabulary = Integer.parseInt(arguments[5]);
      train(
          run(
              scheme,
              recurrence,
              precision,
              new TrainingConfig.ModelSize(LAYERS, 16, 2),
              8,
              SMALL_VOCABULARY),
          numReplicas);
      long before = bytes(RESIDENT);
      RunDescription run =
          run(
              scheme,
              recurrence,
              precision,
              new TrainingConfig.ModelSize(LAYERS, 256, 8),
              Integer.parseInt(arguments[4]),
              vocabulary);
      train(run, numReplicas);
      LoopConfig loop = run.config().training();
      long estimated =
          new MemoryEstimate(
                  run.model(),
                  loop.length(),
                  loop.batch(),
                  loop.numerics(),
                  run.model().numParameters(),
                  false)
              .peakBytes(numReplicas);
      System.out.println(numReplicas * estimated);
      System.out.println(bytes(PEAK) - before);
    }

    private static PositionalScheme scheme(String label) {
      if (label.equals("regulargpt")) {
        return new RegularGpt(64);
      }
      if (label.equals("gated-deltanet")) {
        return new Linear(Linear.Member.GATED_DELTANET, false);
      }
      return Schemes.trainable().stream()
          .filter(scheme -> scheme.label().equals(label))
          .findFirst()
          .orElseThrow();
    }

    private static Recurrence recurrence(String kind) {
      return switch (kind) {
        case "staircase" -> new Staircase(64, 2);
        case "block-recurrent" -> new BlockRecurrence(64, 64, 3);
        default -> Recurrence.none();
      };
    }

    private static RunDescription run(
        PositionalScheme scheme,
        Recurrence recurrence,
        Precision precision,
        TrainingConfig.ModelSize size,
        int length,
        int vocabulary) {
      TrainingConfig config =
          new TrainingConfig(
              "test",
              5,
              size,
              scheme,
              recurrence,
              new OptimizerConfig(1e-3, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0, 0.1),
              Loops.on(Loops.of(length, 4, STEPS), "cpu", 4, precision),
              null,
              null);
      return new RunDescription(
          ModelOrigin.FORMAT_VERSION,
          config.modelConfig(vocabulary),
          config,
          new DataIdentity(
              new TokenizerIdentity("test", "0".repeat(64), vocabulary, 0), "0".repeat(64)),
          BuildInfo.current());
    }

    private static void train(RunDescription run, int numReplicas) throws IOException {
      LoopConfig loop = run.config().training();
      long[] tokens = new long[loop.batch() * loop.length()];
      Arrays.setAll(tokens, i -> i % SMALL_VOCABULARY);
      Samples micro = new Samples(loop.batch(), tokens, tokens);
      List<Device> devices = Collections.nCopies(numReplicas, Device.cpu());
      try (ReplicaGroup group = new ReplicaGroup(run, Child::loss, null, devices)) {
        for (int step = 1; step <= STEPS; step++) {
          group.step(Collections.nCopies(numReplicas, micro), step, 1e-3, new StepObserver() {});
        }
      }
    }

    private static NDArray loss(LanguageModel model, Batch batch) {
      return model.loss(batch.tokens_BT(), batch.targets());
    }

    private static long bytes(Pattern line) throws IOException {
      Matcher matcher = line.matcher(Files.readString(Path.of("/proc/self/status")));
      assertThat(matcher.find()).isTrue();
      return Long.parseLong(matcher.group(1)) * BYTES_PER_KILOBYTE;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "kerple-log, bfloat16, 1, none, 256, 257",
    "alibi, bfloat16, 1, none, 256, 20000",
    "fire, float32, 1, none, 512, 257",
    "regulargpt, float32, 1, none, 512, 257",
    "gated-deltanet, float32, 1, none, 512, 257",
    "alibi, float32, 1, staircase, 512, 257",
    "alibi, float32, 1, block-recurrent, 512, 257"
  })
  void estimateIsNearWhatIsMeasured(
      String scheme,
      String precision,
      String numReplicas,
      String recurrence,
      String length,
      String vocabulary)
      throws IOException, InterruptedException {
    requireNear(measure(scheme, precision, numReplicas, recurrence, length, vocabulary));
  }

  @Tag("acceptance")
  @ParameterizedTest
  @ValueSource(strings = {"linear", "gla", "mamba2", "deltanet-negative", "lru"})
  void estimateOfALinearRecurrenceIsNearWhatIsMeasured(String scheme)
      throws IOException, InterruptedException {
    requireNear(measure(scheme, "float32", "1", "none", "512", "257"));
  }

  /** Processors without bfloat16 need a minute for these. */
  @Tag("acceptance")
  @ParameterizedTest
  @CsvSource({"kerple-log, 257", "alibi, 20000"})
  void estimateOfLongSequencesInBfloat16IsNearWhatIsMeasured(String scheme, String vocabulary)
      throws IOException, InterruptedException {
    requireNear(measure(scheme, "bfloat16", "1", "none", "512", vocabulary));
  }

  private static void requireNear(Bytes bytes) {
    assertThat(bytes.estimated())
        .isCloseTo(bytes.measured(), withinPercentage(TOLERATED_PERCENTAGE));
  }

  /** 1,792 more tokens cost the same from 512 and from 2,304 on. */
  @Tag("acceptance")
  @ParameterizedTest
  @CsvSource({"alibi, staircase", "sliding-window, block-recurrent"})
  void memoryOfRecurrentTrainingIsLinearInTheLength(String scheme, String recurrence)
      throws IOException, InterruptedException {
    List<Long> measured = new ArrayList<>();
    for (String length : List.of("512", "2304", "4096")) {
      measured.add(measure(scheme, "float32", "1", recurrence, length, "257").measured());
    }
    assertThat(measured.get(2) - measured.get(1))
        .as("bytes at 512, 2,304 and 4,096 tokens: %s", measured)
        .isCloseTo(measured.get(1) - measured.get(0), withinPercentage(10));
  }

  private record Bytes(long estimated, long measured) {}

  private static Bytes measure(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Xms128m",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+AlwaysPreTouch", // so that the heap does not grow during the measurement
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder child = new ProcessBuilder(command);
    child.environment().remove("GLIBC_TUNABLES");
    child.environment().put("MALLOC_MMAP_THRESHOLD_", "1048576"); // freed memory is not resident
    Process process = child.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    List<Long> bytes = output.lines().map(Long::valueOf).toList();
    return new Bytes(bytes.get(0), bytes.get(1));
  }
}
