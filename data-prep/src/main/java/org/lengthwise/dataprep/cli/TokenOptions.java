package org.lengthwise.dataprep.cli;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.source.TokenFiles;
import org.lengthwise.dataprep.source.TokenFiles.Format;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import picocli.CommandLine.Option;

/** The options of inputs that hold token ids. */
final class TokenOptions {

  @Option(
      names = "--tokens",
      required = true,
      paramLabel = "NAME",
      completionCandidates = Formats.class,
      description =
          "The inputs hold token ids in the format of this program: ${COMPLETION-CANDIDATES}."
              + " Megatron's .idx is beside the .bin.")
  private String format = "";

  @Option(
      names = "--end-of-text",
      paramLabel = "ID",
      description = "Another id that ends a document in the inputs, besides --tokenizer's.")
  private @Nullable Integer endOfText;

  @Option(
      names = "--split-of-file",
      paramLabel = "NAME",
      completionCandidates = Splits.class,
      description =
          "Puts all documents of the inputs into one split: ${COMPLETION-CANDIDATES}. Default: a"
              + " hash of each document's text decides, as for text.")
  private @Nullable String split;

  private static final class Formats implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return labels(Format.values(), Format::label).iterator();
    }
  }

  private static final class Splits implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return labels(Split.values(), Split::label).iterator();
    }
  }

  TokenFiles files(Tokenizer tokenizer) {
    if (endOfText != null && endOfText < 0) {
      throw new ConfigException(
          "--end-of-text", "an id of at least 0", endOfText.toString(), "correct the id");
    }
    return new TokenFiles(
        choice("tokens", format, Format.values(), Format::label),
        endOfText == null ? tokenizer.endOfText() : endOfText,
        tokenizer.endOfText(),
        tokenizer.vocabularySize(),
        split == null ? null : choice("split-of-file", split, Split.values(), Split::label));
  }

  private static <T> List<String> labels(T[] choices, Function<T, String> label) {
    return Arrays.stream(choices).map(label).toList();
  }

  private static <T> T choice(String option, String name, T[] choices, Function<T, String> label) {
    List<String> names = labels(choices, label);
    try {
      Checks.oneOf(option, name, names);
    } catch (InvalidValueException e) {
      throw e.ofOption();
    }
    return choices[names.indexOf(name)];
  }
}
