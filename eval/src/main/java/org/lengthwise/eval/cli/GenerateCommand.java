package org.lengthwise.eval.cli;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.eval.generate.GenerationConfig;
import org.lengthwise.eval.generate.Generator;
import org.lengthwise.eval.generate.TextStream;
import org.lengthwise.eval.perplexity.MeasuredModel;
import org.lengthwise.training.RandomStreams;
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

/** {@code lengthwise generate}: a prompt to its continuation. */
@Command(
    name = "generate",
    sortOptions = false,
    description = {
      "Continues a text, and prints the prompt and what follows as it appears, in",
      "UTF-8. Ends at the model's end of text. The same checkpoint, prompt, settings",
      "and seed give the same text on the same machine."
    },
    footer = {
      "",
      "Example:",
      "  generate --checkpoint runs/alibi --prompt 'The model' --temperature 0.8"
    })
public final class GenerateCommand implements Callable<Integer> {
  private static final Logger LOG = LogManager.getLogger(GenerateCommand.class);

  @Mixin private GivenCheckpoint checkpoint = new GivenCheckpoint();

  @ArgGroup(multiplicity = "1")
  private Prompt prompt = new Prompt();

  @Option(names = "--tokens", paramLabel = "N", description = "How many tokens at most.")
  private @Nullable String tokens;

  @Option(
      names = "--temperature",
      paramLabel = "X",
      description = "Below 1 likely tokens become likelier; 0 takes the likeliest.")
  private @Nullable String temperature;

  @Option(
      names = "--top-k",
      paramLabel = "N",
      description = "Draws from so many of the likeliest tokens; 0 for all.")
  private @Nullable String topK;

  @Option(
      names = "--top-p",
      paramLabel = "X",
      description = "Draws from as few of the likeliest as have this probability; 1 for all.")
  private @Nullable String topP;

  @Option(names = "--seed", paramLabel = "N", description = "The seed of the draws.")
  private @Nullable String seed;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "All settings; conf/generate.yaml unless named.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one key, such as context=512 or device=gpu:0; may be repeated.")
  private List<String> settings = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public GenerateCommand() {}

  /** What to continue: exactly one of the two. */
  private static final class Prompt {
    @Option(
        names = "--prompt",
        required = true,
        paramLabel = "TEXT",
        description = "What to continue; empty for the beginning of a document.")
    private @Nullable String text;

    @Option(
        names = "--prompt-file",
        required = true,
        paramLabel = "FILE",
        description = "A file in UTF-8 with what to continue.")
    private @Nullable Path file;

    String read() throws IOException {
      return text != null ? text : TextFile.read(Objects.requireNonNull(file));
    }
  }

  @Override
  public Integer call() throws IOException {
    GenerationConfig resolved = resolve();
    Checkpoint opened = checkpoint.open();
    String text = prompt.read();
    try (Tokenizer found = checkpoint.tokenizer(opened)) {
      // Documents follow one another, so the first token of one is read behind an end of text.
      int[] ids = text.isEmpty() ? new int[] {found.endOfText()} : found.encode(text);
      show(text);
      TextStream stream = new TextStream(found, ids, this::show);
      generate(opened, resolved, ids, found.endOfText(), stream);
      stream.end();
    }
    spec.commandLine().getOut().println();
    return 0;
  }

  private void generate(
      Checkpoint opened, GenerationConfig resolved, int[] ids, int endOfText, TextStream stream)
      throws IOException {
    MeasuredModel model = MeasuredModel.single(opened, List.of(resolved.positionScaling()));
    long longest = model.model().position().longestLength();
    int context = (int) Math.min(resolved.context(), longest);
    if (ids.length + resolved.tokens() - 1L > context) {
      LOG.info("the model reads no more than the latest {} tokens", context);
    }
    Device device = Devices.of(resolved.device());
    Random random = new RandomStreams(resolved.seed()).stream("generate");
    try (NDManager manager = NDManager.newBaseManager(device, "PyTorch");
        Weights weights = opened.weights(device);
        Decoder decoder = new Decoder(model.model(), weights, resolved.precision())) {
      new Generator(decoder, manager, resolved.sampler(), context)
          .generate(
              ids,
              new Generator.Limit(resolved.tokens(), endOfText),
              random,
              token -> isRead(stream, token));
    }
  }

  /** Shows a token; false when nobody reads any more, as behind {@code | head}. */
  private boolean isRead(TextStream stream, int token) {
    stream.add(token);
    return !spec.commandLine().getOut().checkError();
  }

  private void show(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }

  private GenerationConfig resolve() {
    List<String> all = new ArrayList<>(settings);
    add(all, "tokens", tokens);
    add(all, "sampler.temperature", temperature);
    add(all, "sampler.top_k", topK);
    add(all, "sampler.top_p", topP);
    add(all, "seed", seed);
    Path file = config == null ? Installation.conf("generate.yaml") : config;
    return ConfigLoader.load(file, all).bind(GenerationConfig.class);
  }

  private static void add(List<String> settings, String key, @Nullable String value) {
    if (value != null) {
      settings.add(key + "=" + value);
    }
  }
}
