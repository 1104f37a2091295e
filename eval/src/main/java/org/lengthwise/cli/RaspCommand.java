package org.lengthwise.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.input.TextFile;
import org.lengthwise.rasp.Program;
import org.lengthwise.rasp.SOp;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "rasp",
    sortOptions = false,
    header = "Runs, sizes and draws a RASP program.",
    description =
        "Prints the values of an s-op on an input, and the layers and heads of the transformer that"
            + " computes it. Numbers are exact, truth values are T and F. Programs of the paper are"
            + " in conf/rasp/.",
    footer = {
      "",
      "Example:",
      "  rasp conf/rasp/sort.rasp --s-op sort_bos --input '§cba' --draw sort.svg",
      "  rasp conf/rasp/sort.rasp --s-op sorted --documents 20000 --alphabet a-z --lengths 1-20",
      "      --output sort.jsonl"
    })
public final class RaspCommand implements Callable<Integer> {
  @Parameters(paramLabel = "PROGRAM", description = "The program, a .rasp file.")
  private Path program = Path.of("");

  @Option(
      names = "--s-op",
      required = true,
      paramLabel = "NAME",
      description = "The s-op to run, a name that the program defines.")
  private String name = "";

  @Option(
      names = "--input",
      paramLabel = "TEXT",
      description =
          "The input. Each character is a token. Without an input only sizes are printed.")
  private @Nullable String input;

  @Option(
      names = "--draw",
      paramLabel = "FILE.svg",
      description = "Draws what each head selects and each layer yields on the input.")
  private @Nullable Path drawing;

  @Option(
      names = "--json",
      description =
          "Prints one JSON object with the keys s_op, input, values, layers and heads (a number for"
              + " each layer). A fraction is a text such as \"3/2\", a truth value is true or"
              + " false.")
  private boolean json;

  @ArgGroup(exclusive = false)
  private @Nullable DocumentOptions documents;

  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * The object that {@code --json} prints.
   *
   * @param values a number, a text or a truth value for each position; null without an input
   */
  private record Result(
      @JsonProperty("s_op") String sOp,
      @Nullable String input,
      @Nullable List<Object> values,
      int layers,
      List<Integer> heads) {}

  @Override
  public Integer call() throws IOException {
    if (documents != null && (json || input != null || drawing != null)) {
      throw new ConfigException(
          "--documents",
          "no --input, --draw or --json beside it",
          json ? "--json" : input != null ? "--input" : "--draw",
          "use two commands");
    }
    SOp sOp = Program.read(program, TextFile::read).sOp(name);
    if (documents != null) {
      try {
        documents.write(sOp);
      } catch (InvalidValueException e) {
        throw e.ofOption();
      }
      spec.commandLine().getOut().println(documents.output());
      return 0;
    }
    if (drawing != null) {
      String svg = sOp.draw(requireInput());
      AtomicFile.write(drawing, out -> out.write(svg.getBytes(StandardCharsets.UTF_8)));
    }
    print(sOp);
    return 0;
  }

  private String requireInput() {
    if (input == null) {
      throw new ConfigException("--draw", "an input", "none", "add --input TEXT");
    }
    return input;
  }

  private void print(SOp sOp) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<Integer> heads = sOp.heads();
    if (json) {
      List<Object> values = input == null ? null : sOp.run(input);
      Result result = new Result(name, input, values, heads.size(), heads);
      out.println(ConfigLoader.strictMapper().writeValueAsString(result));
      return;
    }
    if (input != null) {
      out.println(name + "(\"" + input + "\") = [" + String.join(", ", sOp.texts(input)) + "]");
    }
    String byLayer = heads.stream().map(String::valueOf).collect(Collectors.joining(" "));
    out.println(
        Count.of(heads.size(), "layer") + (heads.isEmpty() ? "" : ", heads by layer: " + byLayer));
    if (drawing != null) {
      out.println(drawing);
    }
  }
}
