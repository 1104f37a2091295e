package org.lengthwise.eval.cli;

import ai.djl.Device;
import ai.djl.engine.Engine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.eval.bench.AttentionBench;
import org.lengthwise.eval.bench.ShardReadingBench;
import org.lengthwise.training.device.Devices;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lengthwise bench}: structured attention against dense masks, and reading speed. */
@Command(
    name = "bench",
    description = {
      "Times sliding-dilated attention in its structured form against dense masked attention, in",
      "one process and alternating: inference at 8192 tokens, training at 2048. Needs some 12 GB.",
      "Then times random windows from mapped shards, on one thread, out of a temporary folder of",
      "100 shards, some 400 MB."
    },
    footer = {"", "Example:", "  bench --repetitions 5 --json"})
public final class BenchCommand implements Callable<Integer> {
  private static final int CHUNK = 128;
  private static final int HEADS = 12;
  private static final int HEAD_WIDTH = 64;

  private static final int SHARDS = 100;
  private static final int SHARD_BYTES = 1 << 22;
  private static final List<Integer> WINDOW_LENGTHS = List.of(513, 8193);
  private static final int TOKENS_PER_PASS = 50_000_000;

  @Option(
      names = "--repetitions",
      defaultValue = "5",
      paramLabel = "N",
      description = "How often each form is timed (default: ${DEFAULT-VALUE}).")
  private int repetitions;

  @Option(
      names = "--device",
      defaultValue = "cpu",
      paramLabel = "NAME",
      description = "cpu or gpu:0, gpu:1, ... (default: ${DEFAULT-VALUE}).")
  private String device = "";

  @Option(names = "--json", description = "Prints one JSON object instead of a table.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public BenchCommand() {}

  /**
   * What {@code --json} prints.
   *
   * @param build the software
   * @param engine the tensor engine's version
   * @param device where it ran
   * @param processors how many processors the machine has
   * @param attention the rows
   * @param shardReading the reading of windows
   */
  private record Outcome(
      BuildInfo build,
      String engine,
      String device,
      int processors,
      List<AttentionBench.Row> attention,
      ShardReadingBench.Outcome shardReading) {}

  @Override
  public Integer call() throws IOException {
    Device where = Devices.of(device);
    List<AttentionBench.Row> rows = new ArrayList<>();
    for (long dilation : new long[] {1, CHUNK}) {
      rows.add(run(8192, dilation, false, where));
      rows.add(run(2048, dilation, true, where));
    }
    Outcome outcome =
        new Outcome(
            BuildInfo.current(),
            "PyTorch " + Engine.getEngine("PyTorch").getVersion(),
            device,
            Runtime.getRuntime().availableProcessors(),
            rows,
            new ShardReadingBench(SHARDS, SHARD_BYTES, WINDOW_LENGTHS, TOKENS_PER_PASS, repetitions)
                .run());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(ConfigLoader.strictMapper().writeValueAsString(outcome));
    } else {
      print(out, outcome);
    }
    return 0;
  }

  private AttentionBench.Row run(int length, long dilation, boolean gradients, Device where) {
    AttentionBench.Case shape =
        new AttentionBench.Case(length, CHUNK, dilation, HEADS, HEAD_WIDTH, gradients);
    return new AttentionBench(shape, repetitions).run(where);
  }

  private static void print(PrintWriter out, Outcome outcome) {
    out.printf(
        "%s, %s, %d processors, %s%n",
        outcome.engine(), outcome.device(), outcome.processors(), outcome.build());
    out.printf("sliding-dilated attention, C = %d, H = %d, D = %d%n", CHUNK, HEADS, HEAD_WIDTH);
    out.println("     T dilation gradients structured ms   dense ms    ratio  largest difference");
    for (AttentionBench.Row row : outcome.attention()) {
      out.printf(
          "%6d %8d %9s %13.1f %10.1f %7.1fx %20.1e%n",
          row.shape().length(),
          row.shape().dilation(),
          row.shape().withGradients() ? "yes" : "no",
          row.structuredMilliseconds(),
          row.denseMilliseconds(),
          row.ratio(),
          row.largestDifference());
    }
    printBothLevels(out, outcome.attention(), false);
    printBothLevels(out, outcome.attention(), true);
    print(out, outcome.shardReading());
  }

  private static void print(PrintWriter out, ShardReadingBench.Outcome reading) {
    out.printf(
        "random windows of %d shards, %,d tokens, opened in %.0f ms%n",
        reading.shards(), reading.tokens(), reading.openingMilliseconds());
    out.println(" T + 1   million tokens/s  bytes allocated per window");
    for (ShardReadingBench.Row row : reading.windows()) {
      out.printf(
          "%6d %18.0f %27.1f%n",
          row.windowLength(), row.tokensPerSecond() / 1e6, row.allocatedBytesPerWindow());
    }
  }

  /** What a model with both levels sees, for each of its blocks runs once at either dilation. */
  private static void printBothLevels(
      PrintWriter out, List<AttentionBench.Row> rows, boolean withGradients) {
    List<AttentionBench.Row> own =
        rows.stream().filter(row -> row.shape().withGradients() == withGradients).toList();
    double structured = own.stream().mapToDouble(AttentionBench.Row::structuredMilliseconds).sum();
    double dense = own.stream().mapToDouble(AttentionBench.Row::denseMilliseconds).sum();
    out.printf(
        "%6d     both %9s %13.1f %10.1f %7.1fx%n",
        own.get(0).shape().length(),
        withGradients ? "yes" : "no",
        structured,
        dense,
        dense / structured);
  }
}
