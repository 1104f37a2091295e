package org.lengthwise.eval.cli;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.eval.perplexity.EvaluationConfig;
import org.lengthwise.eval.perplexity.MeasuredModel;
import org.lengthwise.eval.score.Scorer;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.model.Decoder;
import org.lengthwise.training.model.Weights;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lengthwise score}: the negative log-likelihood of each of given tokens. */
@Command(
    name = "score",
    description = {
      "Scores given tokens: nll[i] is -ln p(token i | tokens before i), in nats.",
      "The model reads all N tokens but the last; RegularGPT's depth, and the scaling of RoPE's",
      "positions, are those of N - 1 positions for every token among them."
    },
    footer = {"", "Example:", "  score --checkpoint runs/alibi --tokens tokens.json --json"})
public final class ScoreCommand implements Callable<Integer> {
  @Mixin private GivenCheckpoint checkpoint = new GivenCheckpoint();

  @ArgGroup(multiplicity = "1")
  private Source source = new Source();

  @Option(names = "--json", description = "One JSON object: {\"tokens\":[...],\"nll\":[...]}.")
  private boolean json;

  @Mixin private EvaluationOptions options = new EvaluationOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public ScoreCommand() {}

  /** Where the tokens come from: exactly one of the two. */
  private static final class Source {
    @Option(
        names = "--tokens",
        required = true,
        paramLabel = "FILE",
        description = "A JSON array of token ids.")
    private @Nullable Path tokens;

    @Option(
        names = "--text",
        required = true,
        paramLabel = "FILE",
        description = "Text in UTF-8, tokenised with the checkpoint's tokenizer.")
    private @Nullable Path text;
  }

  /**
   * What {@code --json} prints.
   *
   * @param tokens the ids
   * @param nll for each its negative log-likelihood in nats; null for the first, which nothing
   *     precedes
   */
  private record Scores(List<Integer> tokens, List<@Nullable Float> nll) {}

  @Override
  public Integer call() throws IOException {
    Checkpoint opened = checkpoint.open();
    int[] tokens = source.tokens != null ? read(source.tokens) : encode(opened);
    require(tokens, opened.origin().model().vocabulary());
    float[] nlls = score(opened, tokens);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      List<@Nullable Float> values = new ArrayList<>();
      values.add(null);
      for (float nll : nlls) {
        values.add(nll);
      }
      List<Integer> ids = Arrays.stream(tokens).boxed().toList();
      out.println(ConfigLoader.strictMapper().writeValueAsString(new Scores(ids, values)));
    } else {
      printTable(out, tokens, nlls);
    }
    return 0;
  }

  private static void printTable(PrintWriter out, int[] tokens, float[] nlls) {
    double sum = 0;
    for (int i = 0; i < nlls.length; i++) {
      out.printf("%d\t%d\t%.6f%n", i + 1, tokens[i + 1], nlls[i]);
      sum += nlls[i];
    }
    double mean = sum / nlls.length;
    out.printf("%d tokens, mean NLL %.6f, perplexity %.4f%n", nlls.length, mean, Math.exp(mean));
  }

  private float[] score(Checkpoint opened, int[] tokens) throws IOException {
    EvaluationConfig config = options.resolve();
    MeasuredModel model = MeasuredModel.single(opened, config.positionScaling());
    MeasuredModel.requireReads(
        opened.origin().name(), opened.origin().model().position(), "tokens", tokens.length - 1);
    Device device = Devices.of(config.device());
    try (NDManager manager = NDManager.newBaseManager(device, "PyTorch");
        Weights weights = opened.weights(device);
        Decoder decoder = new Decoder(model.model(), weights, config.precision())) {
      return new Scorer(decoder, manager).score(tokens);
    }
  }

  private static int[] read(Path file) throws IOException {
    try {
      return ConfigLoader.strictMapper().readValue(Files.readAllBytes(file), int[].class);
    } catch (JsonProcessingException e) {
      throw new DataFormatException(
          file.toString(),
          "a JSON array of token ids",
          e.getOriginalMessage(),
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
          "tokens", "at least 2, a context and a target", tokens.length + "", "give more");
    }
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] < 0 || tokens[i] >= vocabulary) {
        throw new DataFormatException(
            "token " + i,
            "an id from 0 to " + (vocabulary - 1),
            String.valueOf(tokens[i]),
            "use the ids of the checkpoint's tokenizer");
      }
    }
  }
}
