package org.lengthwise.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.EnumName;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.error.Count;
import org.lengthwise.model.DecoderForm;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.model.ParameterSpec;
import org.lengthwise.model.Recurrence;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ImportedModel;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.interchange.ModelFolder;

record CheckpointText(PrintWriter out) {

  void print(Checkpoint checkpoint, Map<String, List<Double>> biasRanges) {
    ModelOrigin origin = checkpoint.origin();
    ModelConfig model = origin.model();
    boolean isOfOthers = ModelFolder.isOfOtherSoftware(checkpoint.folder());
    out.printf(
        isOfOthers
            ? "model in     %s, Hugging Face's layout%n"
            : "checkpoint   %s, every file's SHA-256 verified%n",
        checkpoint.folder());
    if (!isOfOthers) {
      out.printf(
          "run          %s, seed %s, step %s, %s tokens%n",
          origin.name(),
          checkpoint.state().seed(),
          checkpoint.state().step(),
          Count.of(checkpoint.state().tokens()));
    }
    printModel(model, origin.length());
    TokenizerIdentity tokenizer = origin.tokenizer();
    if (model.isClassifier()) {
      out.printf(
          "task         %s, %s symbols, %s labels, SHA-256 of the automaton %s%n",
          tokenizer.name(), model.vocabulary(), model.labels(), tokenizer.sha256());
    } else if (!tokenizer.isKnown()) {
      out.println("tokenizer    unknown, because the files have no tokenizer.json");
    } else {
      out.printf(
          "tokenizer    %s, %s ids, end of text %s, SHA-256 %s%n",
          tokenizer.name(), tokenizer.vocabularySize(), tokenizer.endOfText(), tokenizer.sha256());
    }
    if (origin instanceof RunDescription run) {
      out.printf("data         SHA-256 %s%n", run.data().sha256());
    } else if (origin instanceof ImportedModel imported) {
      print(imported.source());
      if (!model.isClassifier()) {
        out.printf(
            "documents    begin %s%n",
            imported.bos().map(id -> "with BOS, id " + id).orElse("without BOS"));
      }
    }
    if (!isOfOthers) {
      out.printf("written by   %s%n", origin.build());
    }
    for (ParameterSpec parameter : ParameterLayout.of(model)) {
      List<Double> ranges = biasRanges.getOrDefault(parameter.name(), List.of());
      out.printf("  %-36s %s%s%n", parameter.name(), parameter.shape(), inWords(ranges));
    }
  }

  private void print(ImportedModel.Source source) {
    if (!source.isComputed()) {
      String files = String.join(", ", source.files().keySet());
      out.printf("imported     from the layout %s: %s%n", source.layout(), files);
      return;
    }
    StringBuilder words = new StringBuilder(source.layout());
    source.settings().forEach((name, value) -> words.append(", %s %s".formatted(name, value)));
    out.printf("constructed  %s%n", words);
    source
        .files()
        .forEach((name, sha256) -> out.printf("counted      %s, SHA-256 %s%n", name, sha256));
  }

  private void printModel(ModelConfig model, int length) {
    String parameters = Count.of(model.numParameters(), "parameter");
    if (model.kind().isNetwork()) {
      out.printf(
          "model        %s, %s, %s%n",
          EnumName.of(model.kind()), Count.of(model.width(), "unit"), parameters);
      return;
    }
    out.printf(
        "model        %s, width %s, %s, vocabulary %s, %s%n",
        Count.of(model.layers(), "block"),
        model.width(),
        Count.of(model.heads(), "head"),
        model.vocabulary(),
        parameters);
    List<String> form = differences("", tree(model.form()), tree(DecoderForm.GPT2));
    if (!form.isEmpty()) {
      out.printf("form         %s%n", String.join(", ", form));
    }
    out.printf(
        "position     %s, %s at length %s%n",
        model.position().hasFormula()
            ? model.position().label() // a formula is too long for a line
            : inWords(model.position()),
        Count.of(model.executedLayers(length), "executed layer"),
        Count.of(length));
    model.position().described().forEach(detail -> out.printf("             %s%n", detail));
    if (!model.recurrence().equals(Recurrence.none())) {
      out.printf(
          "recurrence   %s, %s in sequence, receptive field at most %s at length %s%n",
          inWords(model.recurrence()),
          Count.of(model.recurrence().sequentialCalls(model.layers(), length), "call"),
          Count.of(model.receptiveField(length)),
          Count.of(length));
    }
  }

  /** The options of the blocks that GPT-2 does not have, such as {@code mlp.gated true}. */
  private static List<String> differences(String parent, ObjectNode found, ObjectNode usual) {
    return found.properties().stream()
        .flatMap(
            option -> {
              String name = parent + option.getKey();
              JsonNode other = usual.path(option.getKey());
              if (option.getValue() instanceof ObjectNode group) {
                return differences(name + ".", group, (ObjectNode) other).stream();
              }
              return option.getValue().equals(other)
                  ? Stream.empty()
                  : Stream.of(name + " " + option.getValue().asText());
            })
        .toList();
  }

  /** A value; a choice within a choice is in brackets, such as {@code (linear, factor 4.0)}. */
  private static String inWords(JsonNode value) {
    if (value instanceof ObjectNode group) {
      String words = inWords((Object) group);
      return group.size() == 1 ? words : "(" + words + ")";
    }
    return value.isArray() ? value.toString() : value.asText();
  }

  private static ObjectNode tree(Object value) {
    return ConfigLoader.strictMapper().valueToTree(value);
  }

  /** The ranges of the heads, such as {@code , biases of a head range over 0.91 to 1.70 nats}. */
  private static String inWords(List<Double> ranges) {
    return ranges.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            ", biases of a head range over %.2f to %.2f nats",
            Collections.min(ranges),
            Collections.max(ranges));
  }

  /** A choice with its settings, such as {@code learned, positions 128}. */
  private static String inWords(Object choice) {
    StringBuilder words = new StringBuilder();
    tree(choice)
        .properties()
        .forEach(
            setting -> {
              if (!setting.getValue().isNull()) {
                words
                    .append(words.isEmpty() ? "" : ", " + setting.getKey() + " ")
                    .append(inWords(setting.getValue()));
              }
            });
    return words.toString();
  }
}
