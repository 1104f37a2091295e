package org.lengthwise.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.JsonFault;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.Count;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.generate.Scorer;
import org.lengthwise.input.TextFile;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.positional.PositionSample;
import org.lengthwise.result.ModelState;
import org.lengthwise.training.checkpoint.Checkpoint;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "score",
    sortOptions = false,
    header = "Prints the negative log-likelihood of each given token.",
    description =
        "nll[i] is -ln p(token i | tokens before i), in nats. The model reads all N tokens except"
            + " the last in one pass, and also the last if RoPE's own scaling depends on the length."
            + " The depth of RegularGPT and the scaling of RoPE's positions follow the number of tokens"
            + " that are read. A Staircase, block recurrence with windows, and linear recurrences without"
            + " attention layers read long texts piece by piece, with the same results. A text begins with"
            + " BOS if the model was trained so; ids are read as given.",
    footer = {"", "Example:", "  score --checkpoint runs/alibi --tokens tokens.json --json"})
public final class ScoreCommand implements Callable<Integer> {
  @Mixin private CheckpointOption checkpoint = new CheckpointOption();

  @ArgGroup(multiplicity = "1")
  private Source source = new Source();

  @Option(
      names = "--json",
      description =
          "Prints one JSON object: {\"tokens\":[...],\"nll\":[null,...]}. Under the scheme randomized,"
              + " \"positions\" has the positions or distances that the pass drew.")
  private boolean json;

  @Mixin private BosOption bos = new BosOption();

  @Mixin private EvaluationOptions options = new EvaluationOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  private static final class Source {
    @Option(
        names = "--tokens",
        required = true,
        paramLabel = "FILE",
        description = "A file with a JSON array of token ids.")
    private @Nullable Path tokens;

    @Option(
        names = "--text",
        required = true,
        paramLabel = "FILE",
        description = "A text file in UTF-8. The checkpoint's tokenizer encodes it.")
    private @Nullable Path text;
  }

  @Override
  public Integer call() throws IOException {
    Checkpoint opened = checkpoint.open();
    EvaluationConfig config = options.resolve(bos.settings());
    int[] tokens =
        source.tokens != null
            ? read(source.tokens)
            : config.bos().before(encode(opened), opened.origin().bos());
    require(tokens, opened.origin().model().vocabulary());
    PrintWriter out = spec.commandLine().getOut();
    try (LoadedModel loaded = load(opened, config, tokens.length - 1)) {
      Scorer scorer = new Scorer(loaded.model(), loaded.manager());
      if (json) {
        printJson(out, tokens, scorer, loaded.model().positions(tokens.length - 1));
      } else {
        printTable(out, tokens, scorer);
      }
    }
    return 0;
  }

  /** The first token has no context, and null as its value. */
  private static void printJson(
      PrintWriter out, int[] tokens, Scorer scorer, Optional<PositionSample> positions)
      throws IOException {
    JsonGenerator object = ConfigLoader.strictMapper().createGenerator(out);
    object.writeStartObject();
    object.writeFieldName("tokens");
    object.writeArray(tokens, 0, tokens.length);
    object.writeArrayFieldStart("nll");
    object.writeNull();
    scorer.score(
        tokens,
        nlls -> {
          try {
            for (float nll : nlls) {
              object.writeNumber(nll);
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    object.writeEndArray();
    if (positions.isPresent()) {
      object.writeFieldName("positions");
      int[] numbers = positions.get().numbers();
      object.writeArray(numbers, 0, numbers.length);
    }
    object.writeEndObject();
    object.flush();
    out.println();
  }

  private static void printTable(PrintWriter out, int[] tokens, Scorer scorer) {
    int[] position = {0};
    double[] sum = {0};
    scorer.score(
        tokens,
        nlls -> {
          for (float nll : nlls) {
            position[0]++;
            out.printf(Locale.ROOT, "%d\t%d\t%.6f%n", position[0], tokens[position[0]], nll);
            sum[0] += nll;
          }
        });
    double mean = sum[0] / position[0];
    String count = Count.of(position[0], "token");
    out.printf(Locale.ROOT, "%s, mean NLL %.6f, perplexity %.4f%n", count, mean, Math.exp(mean));
  }

  private static LoadedModel load(Checkpoint opened, EvaluationConfig config, int positions)
      throws IOException {
    MeasuredModel model = MeasuredModel.single(opened, config.changes());
    Feasibility.requireReads(
        opened.origin().name(), opened.origin().model().position(), "tokens", positions);
    opened.requireFinite(positions);
    MeasurementSettings settings = config.settings();
    return LoadedModel.of(model, ModelState.TRAINED, settings.precision(), settings.device());
  }

  private static int[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return ConfigLoader.strictMapper().readValue(in, int[].class);
    } catch (JsonProcessingException e) {
      throw new DataFormatException(
          file.toString(),
          "a JSON array of token ids",
          e instanceof JsonMappingException ? "another JSON value" : JsonFault.inWords(e),
          "write the ids as [1, 2, 3]",
          e);
    }
  }

  private int[] encode(Checkpoint opened) throws IOException {
    try (Tokenizer found = checkpoint.tokenizer(opened)) {
      return found.encode(TextFile.read(Objects.requireNonNull(source.text)));
    }
  }

  private void require(int[] tokens, int vocabulary) {
    if (tokens.length < 2) {
      throw new DataFormatException(
          "tokens",
          "at least 2, a context and a target",
          String.valueOf(tokens.length),
          "score a longer text");
    }
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] < 0 || tokens[i] >= vocabulary) {
        throw new DataFormatException(
            "%s, token %s"
                .formatted(String.valueOf(source.tokens == null ? source.text : source.tokens), i),
            "an id from 0 to %s, the last row of the embedding".formatted(vocabulary - 1),
            String.valueOf(tokens[i]),
            "use the ids of the checkpoint's tokenizer");
      }
    }
  }
}
