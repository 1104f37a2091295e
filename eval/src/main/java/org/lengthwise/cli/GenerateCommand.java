package org.lengthwise.cli;

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
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.generate.GenerationConfig;
import org.lengthwise.generate.Generator;
import org.lengthwise.generate.TextStream;
import org.lengthwise.input.TextFile;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.result.ModelState;
import org.lengthwise.training.checkpoint.Checkpoint;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "generate",
    sortOptions = false,
    header = "Continues a text.",
    description =
        "Prints the prompt and each new token immediately, in UTF-8. Stops at the end-of-text"
            + " token. The same checkpoint, prompt, settings and seed give the same text on the"
            + " same machine.",
    footer = {
      "",
      "Example:",
      "  generate --checkpoint runs/alibi --prompt 'The model' --temperature 0.8"
    })
public final class GenerateCommand implements Callable<Integer> {
  private static final Logger LOG = LogManager.getLogger(GenerateCommand.class);

  @Mixin private CheckpointOption checkpoint = new CheckpointOption();

  @ArgGroup(multiplicity = "1")
  private Prompt prompt = new Prompt();

  @Option(names = "--tokens", paramLabel = "N", description = "The largest number of new tokens.")
  private @Nullable String tokens;

  @Option(
      names = "--temperature",
      paramLabel = "X",
      description =
          "Divides the logits. Below 1, likely tokens become likelier. 0 always takes the"
              + " likeliest.")
  private @Nullable String temperature;

  @Option(
      names = "--top-k",
      paramLabel = "N",
      description = "Samples from the N likeliest tokens only. 0 means all tokens.")
  private @Nullable String topK;

  @Option(
      names = "--top-p",
      paramLabel = "X",
      description =
          "Samples from the smallest set of likeliest tokens with this total probability. 1 means"
              + " all tokens.")
  private @Nullable String topP;

  @Option(names = "--seed", paramLabel = "N", description = "The seed of the samples.")
  private @Nullable String seed;

  @Mixin private BosOption bos = new BosOption();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "All settings. Default: conf/generate.yaml.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one key, such as context=512. May be repeated.")
  private List<String> settings = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  private static final class Prompt {
    @Option(
        names = "--prompt",
        required = true,
        paramLabel = "TEXT",
        description = "The text to continue. An empty text starts a new document.")
    private @Nullable String text;

    @Option(
        names = "--prompt-file",
        required = true,
        paramLabel = "FILE",
        description = "A file with the text to continue, in UTF-8.")
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
      int[] words = found.encode(text);
      int[] read = resolved.bos().before(words, opened.origin().bos());
      // In training, the first token of a document follows BOS or an end-of-text token.
      int[] ids = read.length == 0 ? new int[] {found.endOfText()} : read;
      show(text);
      TextStream stream = new TextStream(found, words, this::show);
      generate(opened, resolved, ids, found.endOfText(), stream);
      stream.end();
    }
    spec.commandLine().getOut().println();
    return 0;
  }

  private void generate(
      Checkpoint opened, GenerationConfig resolved, int[] ids, int endOfText, TextStream stream)
      throws IOException {
    MeasuredModel model = MeasuredModel.single(opened, List.of(resolved.change()));
    long longest = model.model().position().lengths().longest();
    int context = (int) Math.min(resolved.context(), longest);
    long positions = ids.length + resolved.tokens() - 1L;
    boolean readsAll = model.model().hasBoundedState();
    int pinned = resolved.bos().of(opened.origin().bos()).isPresent() ? 1 : 0;
    int least = model.model().chunk() + pinned;
    opened.requireFinite(readsAll ? positions : Math.min(context, positions));
    if (readsAll) {
      Feasibility.requireReads(
          opened.origin().name(), model.model().position(), "prompt and --tokens", positions);
    } else if (context < least) {
      throw new ConfigException(
          "context",
          "at least %s, %s of %s"
              .formatted(
                  least, pinned == 1 ? "BOS and one token" : "the chunk", opened.origin().name()),
          String.valueOf(context),
          "raise context");
    } else if (positions > context) {
      int fewest = Math.max(1, context - context / 2 + 2 - model.model().chunk());
      LOG.info("the model reads the latest {} to {} tokens", fewest, context);
    }
    Random random = new RandomStreams(resolved.seed()).stream("generate");
    try (LoadedModel loaded =
        LoadedModel.of(model, ModelState.TRAINED, resolved.precision(), resolved.device())) {
      if (loaded.weights().isNarrow()) {
        LOG.info("matrices in 16 bits are widened for each token: --weights float32 is faster");
      }
      new Generator(loaded.model(), loaded.manager(), resolved.sampler(), context, pinned)
          .generate(
              ids,
              new Generator.Limit(resolved.tokens(), endOfText),
              random,
              token -> isRead(stream, token));
    }
  }

  /** Prints a token; false if the reader has closed the pipe, as {@code | head} does. */
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
    all.addAll(bos.settings());
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
