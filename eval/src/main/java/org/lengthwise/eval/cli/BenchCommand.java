package org.lengthwise.eval.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.eval.bench.BenchConfig;
import org.lengthwise.eval.bench.BenchReport;
import org.lengthwise.eval.bench.BenchTable;
import org.lengthwise.eval.bench.Benchmarks;
import org.lengthwise.eval.bench.Part;
import org.lengthwise.eval.report.CostPlot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lengthwise bench}: what the fast paths gain, and what lengths cost. */
@Command(
    name = "bench",
    sortOptions = false,
    description = {
      "Times each fast path against the obvious one, in one process and alternating, and prints",
      "medians, ratios and peak memory. The parts, with the sizes of conf/bench.yaml:",
      "  attention   sliding-dilated attention, C = 128, H = 12, D = 64, against dense masks at",
      "              T = 8192, and at T = 2048 with gradients",
      "  scaling     one block's attention of every scheme, T = 512 to 65,536 where its cost grows",
      "              with T, to 8192 where it grows with T squared (2048 with gradients), and to",
      "              there beside the same with every score at once",
      "  last-token  one evaluation of RegularGPT 128/12, d = 768, T = 8192, against the same",
      "              without pruning and with dense masks; and of other models",
      "  training    a step at d = 384, 6 layers, 8 x 256 tokens, against one TorchScript program",
      "  schemes     a step of each scheme, with model FLOPs utilisation and peak memory; runs only",
      "              when named or with --quick",
      "  reading     random windows from 100 mapped shards, some 400 MB in a temporary folder",
      "  soak        resident memory and heap over 5,000 small steps; runs only when named",
      "The dense forms take minutes on a few cores, and need some 16 GB. Forms of the same work",
      "that differ by more than the tolerance are named, and the exit code is then 1."
    },
    footer = {"", "Example:", "  bench --parts attention,scaling --output bench"})
public final class BenchCommand implements Callable<Integer> {
  /** A fast path that computes something else is a bug. */
  private static final int DISAGREEMENT = 1;

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "NAME",
      description =
          "What to measure: ${COMPLETION-CANDIDATES}; unless named, all but soak, and schemes only "
              + "with --quick.")
  private @Nullable Set<Part> parts;

  @Option(
      names = "--quick",
      description = "Small sizes, a minute or less: exercises everything and tells little.")
  private boolean quick;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The sizes; conf/bench.yaml unless named, conf/bench-quick.yaml with --quick.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Overrides one size, such as last_token.length=4096 or device=gpu:0; may be repeated.")
  private List<String> settings = List.of();

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "How many rounds are timed; the same as --set repetitions=N.")
  private @Nullable Integer repetitions;

  @Option(
      names = "--profile",
      description = {
        "Profiles one more step of each scheme and names the attention operators that ran; the",
        "same as --set schemes.profile=true. With --output the traces are kept under traces/."
      })
  private boolean profile;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Also keeps everything there after each part: bench.txt, bench.json, and the plots of the "
              + "part scaling, cost against length, as SVG and PNG.")
  private @Nullable Path output;

  @Option(names = "--json", description = "Prints one JSON object instead of a table.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public BenchCommand() {}

  @Override
  public Integer call() throws IOException {
    BenchReport report =
        new Benchmarks(resolve(), output == null ? null : output.resolve("traces"))
            .run(parts(), this::keep);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(json(report));
    } else {
      new BenchTable(out).print(report);
    }
    List<String> disagreements = report.disagreements();
    PrintWriter err = spec.commandLine().getErr();
    disagreements.forEach(err::println);
    err.flush();
    return disagreements.isEmpty() ? 0 : DISAGREEMENT;
  }

  private Set<Part> parts() {
    if (parts != null) {
      return parts;
    }
    return EnumSet.complementOf(
        quick ? EnumSet.of(Part.SOAK) : EnumSet.of(Part.SOAK, Part.SCHEMES));
  }

  private void keep(BenchReport report) throws IOException {
    if (output == null) {
      return;
    }
    StringWriter table = new StringWriter();
    new BenchTable(new PrintWriter(table)).print(report);
    Files.createDirectories(output);
    write(output.resolve("bench.txt"), table.toString());
    write(output.resolve("bench.json"), json(report) + "\n");
    CostPlot.write(report.rows(), output);
  }

  private static String json(BenchReport report) throws IOException {
    return ConfigLoader.strictMapper().writeValueAsString(report);
  }

  private static void write(Path file, String text) throws IOException {
    AtomicFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  private BenchConfig resolve() {
    List<String> all = new ArrayList<>(settings);
    if (repetitions != null) {
      all.add("repetitions=" + repetitions);
    }
    if (profile) {
      all.add("schemes.profile=true");
    }
    Path file =
        config == null ? Installation.conf(quick ? "bench-quick.yaml" : "bench.yaml") : config;
    return ConfigLoader.load(file, all).bind(BenchConfig.class);
  }
}
