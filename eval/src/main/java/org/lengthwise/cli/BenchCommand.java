package org.lengthwise.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.bench.BenchConfig;
import org.lengthwise.bench.BenchPart;
import org.lengthwise.bench.BenchReport;
import org.lengthwise.bench.BenchRow;
import org.lengthwise.bench.BenchTable;
import org.lengthwise.bench.CostChart;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.ConfigException;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Picture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "bench",
    sortOptions = false,
    header = "Times the fast code paths against plain ones.",
    description = {
      "Both variants run in one process and take turns. Prints medians, ratios and peak memory. If"
          + " the results of two variants differ by more than the tolerance, they are named and the"
          + " exit code is 1. The dense variants take minutes on a few cores and need about 16 GB.",
      "",
      "The parts, with the sizes of conf/bench.yaml:",
      "  scaling     one block's attention of every scheme against all scores at",
      "              once, T = 512 to 65,536; to 8,192 where the cost grows with T",
      "              squared (2,048 with gradients)",
      "  last-token  an evaluation of RegularGPT 128/12, d = 768, T = 8,192, against",
      "              every position and dense masks; other models",
      "  forward     a forward pass of the blocks of Llama, d = 512, 8 layers,",
      "              T = 2,048 and the last token of 16,384, against one TorchScript",
      "              program; runs if named or with --quick",
      "  training    a step, d = 384, 6 layers, 8 x 256 tokens, against one",
      "              TorchScript program",
      "  schemes     a step of each scheme, with model FLOPs utilisation and peak",
      "              memory; runs if named or with --quick",
      "  recurrence  Staircase and block recurrence against a plain decoder, B = 8,",
      "              T = 64 to 4,096; runs if named or with --quick",
      "  linear      a step of each linear recurrence in turn with attention and a",
      "              plain chunk form, and the next token of a long text; runs if",
      "              named or with --quick",
      "  agreement   attention of every scheme, and 100 losses, against numbers of",
      "              a CPU; runs if named or with --quick"
    },
    footer = {"", "Example:", "  bench --parts scaling,last-token --output bench"})
public final class BenchCommand implements Callable<Integer> {
  private static final String JSON = "bench.json";

  /** The exit code if two variants disagree: a bug in one of them. */
  private static final int DISAGREEMENT = 1;

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "NAME",
      description =
          "The parts to run: ${COMPLETION-CANDIDATES}. Default: scaling, last-token and training;"
              + " with --quick all.")
  private @Nullable Set<BenchPart> parts;

  @Option(
      names = "--quick",
      description = "Runs small sizes in about a minute: a check, not a measurement.")
  private boolean quick;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The sizes. Default: conf/bench.yaml, or conf/bench-quick.yaml with --quick.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Overrides one size, such as device=gpu:0 or training.steps=50. May be repeated.")
  private List<String> settings = List.of();

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "The number of timed rounds. Same as --set repetitions=N.")
  private @Nullable Integer repetitions;

  @Option(
      names = "--profile",
      description =
          "Profiles one more step of each scheme and counts its operators. With --output,"
              + " the traces are written to traces/. Same as --set schemes.profile=true.")
  private boolean profile;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Writes bench.txt, bench.md, bench.json and the plots of the parts scaling and recurrence"
              + " (SVG and PNG) to this folder, after each part; schemes, last-token and agreement"
              + " after each row.")
  private @Nullable Path output;

  @Option(
      names = "--resume",
      description =
          "Keeps the rows that --output has of an interrupted measurement. Of the parts"
              + " schemes, last-token and agreement it keeps each row, of others none.")
  private boolean resume;

  @Option(names = "--json", description = "Prints one JSON object instead of a table.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Path numbers = Installation.conf("agreement.safetensors");
    Path traces = output == null ? null : output.resolve("traces");
    BenchReport report = BenchReport.begin(resolve());
    List<BenchRow> earlier = resume ? earlier(report) : List.of();
    for (BenchPart part : BenchPart.values()) {
      if (parts == null ? quick || part.isDefault() : parts.contains(part)) {
        report = report.with(part, traces, numbers, earlier, this::keep);
      }
    }
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

  /** The rows of an interrupted measurement in the output folder. */
  private List<BenchRow> earlier(BenchReport current) throws IOException {
    if (output == null) {
      throw new ConfigException(
          "--resume", "also --output, the folder to resume", "no folder", "add --output DIR");
    }
    Path file = output.resolve(JSON);
    if (!Files.exists(file)) {
      return List.of();
    }
    BenchReport found = ConfigLoader.strictMapper().readValue(file.toFile(), BenchReport.class);
    if (!found.isComparable(current)) {
      throw new ConfigException(
          file.toString(),
          "the sizes, the build and the machine of this command",
          "others",
          "choose another --output, or leave out --resume to replace the results");
    }
    return found.rows();
  }

  private void keep(BenchReport report) throws IOException {
    if (output == null) {
      return;
    }
    Files.createDirectories(output);
    StringWriter text = new StringWriter();
    new BenchTable(new PrintWriter(text)).print(report);
    write(output.resolve("bench.txt"), text.toString());
    StringWriter page = new StringWriter();
    new BenchTable(new PrintWriter(page)).printMarkdown(report);
    write(output.resolve("bench.md"), page.toString());
    write(output.resolve(JSON), json(report) + "\n");
    for (Chart chart : CostChart.of(report.rows())) {
      new Picture(chart).write(output);
    }
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
